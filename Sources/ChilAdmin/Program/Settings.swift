/// What the environment and the global flags say. Read once; a command asks for what it needs.
struct Settings: Equatable, Sendable {
    let databaseURL: String?
    let keyFile: String?
    let publicURL: String?
    /// Who did it, for the audit.
    let operatorName: String

    init(environment: Environment, databaseURL flag: String?) {
        databaseURL = flag ?? environment["CHIL_DATABASE_URL"]
        keyFile = environment["CHIL_KEY_FILE"]
        publicURL = environment["CHIL_PUBLIC_URL"]
        operatorName = environment["CHIL_OPERATOR"] ?? environment["USER"] ?? "unknown"
    }

    func requireDatabaseURL() throws(AdminFault) -> String {
        guard let databaseURL else {
            throw .missingSetting(
                "CHIL_DATABASE_URL",
                because: "Set it to the operator role's address: postgresql://chil_operator@HOST:PORT/chil."
            )
        }
        return databaseURL
    }

    func requireKeyFile() throws(AdminFault) -> String {
        guard let keyFile else {
            throw .missingSetting(
                "CHIL_KEY_FILE",
                because:
                    "Set it to the file of master keys that chilapi uses, lines of <version>:<64 hexadecimal digits>."
            )
        }
        return keyFile
    }
}
