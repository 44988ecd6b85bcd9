import ChilDatabase
import ChilS3

/// What the environment and the global flags say. Read once; a command asks for what it needs.
struct Settings: Equatable, Sendable {
    let databaseURL: String?
    let keyFile: String?
    let publicURL: String?
    /// The settings of the object store that are there, by name.
    let objectStore: [String: String]
    /// Who did it, for the audit.
    let operatorName: String
    /// The name that the database has, if it was found by one.
    let context: DatabaseContext?
    /// Where the contexts are kept.
    let contextPath: String?

    /// - Parameter context: what a flag, the environment or the file of contexts chose; it goes before CHIL_DATABASE_URL then.
    init(environment: Environment, databaseURL flag: String?, context: DatabaseContext? = nil) throws(UsageError) {
        self.context = context
        contextPath = ContextFile.path(environment)
        databaseURL =
            flag ?? context?.database ?? environment["CHIL_DATABASE_URL"] ?? Self.addressOfLibpq(environment)
        keyFile = context?.keyFile ?? environment["CHIL_KEY_FILE"]
        publicURL = context?.publicURL ?? environment["CHIL_PUBLIC_URL"]
        var objectStore: [String: String] = [:]
        for name in [S3Place.urlSetting, S3Place.bucketSetting, S3Place.regionSetting, S3Place.keyFileSetting] {
            objectStore[name] = environment[name]
        }
        self.objectStore = objectStore
        operatorName = try Self.operatorName(in: environment)
    }

    /// Where libpq's own variables say where: an address that says nothing, so that all is theirs.
    private static func addressOfLibpq(_ environment: Environment) -> String? {
        let names = ["PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE"]
        return names.contains { environment[$0] != nil } ? "postgresql://" : nil
    }

    /// What an operator does is audited for good, and shown in terminals: the name has to be one.
    private static func operatorName(in environment: Environment) throws(UsageError) -> String {
        guard
            let (variable, given) = ["CHIL_OPERATOR", "USER"].lazy.compactMap({ name in
                environment[name].map { (name, $0) }
            }).first
        else { return "unknown" }
        guard let name = DisplayName(argument: given) else {
            throw UsageError(
                "\(variable) is not \(DisplayName.expectation)",
                hint: "It names you in the audit: set CHIL_OPERATOR to your name."
            )
        }
        return name.text
    }

    func requireDatabaseURL() throws(AdminFault) -> String {
        guard let databaseURL else {
            throw .missingSetting(
                "CHIL_DATABASE_URL",
                because:
                    "Set it to the operator role's address: postgresql://chil_operator@HOST:PORT/chil; or add a context."
            )
        }
        if let fault = DatabaseAddress(databaseURL).fault {
            throw AdminFault(
                .configuration,
                "the database's address \(fault)",
                remedy: "In CHIL_DATABASE_URL or --database-url \(DatabaseAddress.remedy)."
            )
        }
        guard context?.isReadOnly == true else { return databaseURL }
        return DatabaseAddress(databaseURL).readingOnly
    }

    /// Without a slash at its end.
    func requirePublicURL() throws(AdminFault) -> String {
        guard var publicURL else {
            throw .missingSetting("CHIL_PUBLIC_URL", because: "Set it to the service's address as clients see it.")
        }
        while publicURL.utf8.last == UInt8(ascii: "/") { publicURL.removeLast() }
        return publicURL
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
