import ChilCore

/// `chiladmin tenant apply`
struct TenantApply: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["tenant", "apply"],
        summary: "bring a tenant to what a file says",
        examples: [
            .init("chiladmin tenant apply --file chillin.json --dry-run", "what differs"),
            .init("chiladmin tenant apply --file chillin.json", "make it so; a tenant that is not there is made"),
            .init("chiladmin tenant apply --file - --prune", "from standard input; what the file has not is removed"),
        ],
        flags: [
            .required("--file", "FILE|-", "as `tenant export` writes it; -f is the same"),
            .toggle("--prune", "remove what the file's sections have not (default: leave it, and say so)"),
        ],
        remarks: [
            "All of it or nothing: one transaction. Applied again it changes nothing. A section that the file has not is left as it is; a member "
                + "that is unknown is refused, with its place.",
            "Secrets are in no file: a webhook's is made (`webhook rotate` shows a new one), a generator's key is given by `generator update "
                + "--key-file`. Printers by Epson's service, lent ones, users and plans are not of a file.",
        ]
    )

    let path: String
    let prunes: Bool

    init(_ words: inout ArgumentReader) throws(UsageError) {
        path = try words.required("--file")
        prunes = words.isSet("--prune")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantChangeRow> {
        let bytes = try services.bytes(ofFile: path)
        let file: TenantFile
        do throws(FileFault) {
            file = try TenantFile(bytes)
        } catch {
            throw error.told(of: path)
        }
        return try await TenantApplication(file: file, prunes: prunes, path: path).run(services)
    }
}

extension FileFault {
    func told(of file: String) -> AdminFault {
        AdminFault(
            .dataRefused,
            "'\(file)'\(path.isEmpty ? "" : ", \(path)"): \(what)",
            remedy: "Nothing was done. `chiladmin tenant export TENANT` shows how it is written."
        )
    }
}

/// What `apply` and `export` need beside the other commands' services.
protocol DeclarativeServices {
    /// A file that an operator names; `-` is standard input.
    func bytes(ofFile path: String) throws(AdminFault) -> [UInt8]
}

extension LiveServices: DeclarativeServices {
    func bytes(ofFile path: String) throws(AdminFault) -> [UInt8] {
        try TransferFile.bytes(path == "-" ? "/dev/stdin" : path)
    }
}
