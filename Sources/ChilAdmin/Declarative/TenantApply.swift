import ChilCore
import ChilStore

/// `chiladmin tenant apply`
struct TenantApply: SevereCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["tenant", "apply"],
        summary: "bring a tenant to what a file says",
        examples: [
            .init("chiladmin tenant apply --file chillin.json --dry-run", "what differs"),
            .init("chiladmin tenant apply --file chillin.json", "make it so; a tenant that is not there is made"),
            .init(
                "chiladmin tenant apply --file - --prune --confirm=chillin",
                "from standard input; what the file has not is removed"
            ),
        ],
        flags: [
            .required("--file", "FILE|-", "as `tenant export` writes it; -f is the same"),
            .toggle("--prune", "remove what the file's sections have not (default: leave it, and say so)"),
            .flag("--confirm", "SLUG", "with --prune: the file's slug again, where nobody can be asked"),
        ],
        remarks: [
            "All of it or nothing: one transaction. Applied again it changes nothing. A section that the file has not is left as it is; a member "
                + "that is unknown is refused, with its place. -o json gives the difference as data. Before --prune removes anything, the "
                + "difference is shown, and the slug is asked for.",
            "Secrets are in no file, and no export has them. `keyFile` of a service, and of a client's `credentials`, is the name of a file "
                + "beside this one, or - for standard input; one that is kept already changes nothing. A webhook's secret is made "
                + "(`webhook rotate` shows a new one). Printers by Epson's service, lent ones, users, plans and whether a tenant is "
                + "suspended are not of a file.",
        ]
    )

    let path: String
    let prunes: Bool
    let confirmed: String?
    /// What somebody was shown to be removed, and agreed to.
    private let agreed = Locked<Set<String>?>(nil)

    init(_ words: inout ArgumentReader) throws(UsageError) {
        path = try words.required("--file")
        prunes = words.isSet("--prune")
        confirmed = try words.optional("--confirm")
        guard confirmed == nil || prunes else {
            throw UsageError("--confirm is for --prune", hint: "Nothing is removed without it.")
        }
    }

    /// The slug is in the file: nobody knows it before that is read.
    var word: String? { nil }

    func requireConfirmation(canAsk: Bool) throws(UsageError) {
        guard prunes, confirmed == nil, !canAsk else { return }
        throw UsageError(
            "--confirm is missing, and there is no terminal to ask at",
            hint: "Say --confirm=SLUG, the file's slug, if you mean it; --dry-run shows what would be removed."
        )
    }

    func question(_ services: any AdminServices) async throws(AdminFault) -> SevereQuestion? {
        guard prunes else { return nil }
        let application = try application(services)
        let slug = try application.slug()
        if let confirmed, !confirmed.isExactly(slug.text) {
            throw AdminFault(.usage, "--confirm: '\(confirmed)' is not '\(slug.text)'", remedy: "Nothing was done.")
        }
        let changes = try await application.changes(services)
        let removals = changes.filter { $0.kind == .remove }
        agreed.withLock { $0 = Set(removals.map(\.path)) }
        guard !removals.isEmpty else { return nil }
        var act = try await services.weigh(.rest(slug))
        act.losses = Dictionary(grouping: removals, by: \.section).map { Loss($0.key, Int64($0.value.count)) }
            .sorted { $0.kind < $1.kind }
        act.shown = TenantDifferenceText.lines(changes)
        return SevereQuestion(word: slug.text, act: act)
    }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.rest(try application(services).slug()))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantChangeRow> {
        var application = try application(services)
        application.agreed = agreed.withLock { $0 }
        return try await application.run(services)
    }

    private func application(_ services: any AdminServices) throws(AdminFault) -> TenantApplication {
        let bytes = try services.bytes(ofFile: path, countMax: TenantFile.bytesMax)
        let file: TenantFile
        do throws(FileFault) {
            file = try TenantFile(bytes)
        } catch {
            throw error.told(of: path)
        }
        return TenantApplication(file: file, prunes: prunes, path: path)
    }
}

extension FileFault {
    func told(of file: String) -> AdminFault {
        AdminFault(
            .dataRefused,
            "'\(file)'\(path.isEmpty ? "" : ", \(Self.short(path))"): \(Self.short(what))",
            remedy: "Nothing was done. `chiladmin tenant export TENANT` shows how it is written."
        )
    }

    /// A file may have a name of a million letters.
    static func short(_ text: String) -> String { DisplayWidth.cut(text, to: 400) }
}
