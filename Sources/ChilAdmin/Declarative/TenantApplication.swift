import ChilCore

/// Applies a file: by the ordinary commands, with their checks and their audit, until nothing differs.
struct TenantApplication {
    let file: TenantFile
    let prunes: Bool
    let path: String
    /// What somebody has agreed to lose; `nil`: nobody was asked.
    var agreed: Set<String>?

    /// What is made is changed in a second round, where its command has no word for all of it.
    private static let roundsMax = 4

    private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

    func slug() throws(AdminFault) -> Slug {
        guard let slug = Slug(file.slug) else { throw FileFault("slug", "is not a tenant's slug").told(of: path) }
        return slug
    }

    /// What differs by now; nothing is done.
    func changes(_ services: any AdminServices) async throws(AdminFault) -> [TenantChange] {
        let slug = try slug()
        guard try await exists(slug, services) else { return [] }
        return try await changes(TenantSnapshot(of: slug, services), services)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantChangeRow> {
        let slug = try slug()
        var rows: [TenantChangeRow] = []
        if try await !exists(slug, services) {
            let name = file.sections["name"]?.word ?? file.slug, zone = file.sections["timeZone"]?.word ?? "UTC"
            try await run(
                ["tenant", "create", "--name=\(name)", "--time-zone=\(zone)", "--", file.slug],
                "slug",
                services
            )
            rows.append(TenantChangeRow(change: "add", path: "tenant", before: "-", after: file.slug))
        }
        for round in 1...Self.roundsMax {
            let snapshot = try await TenantSnapshot(of: slug, services)
            let changes = try await changes(snapshot, services)
            let acts = changes.filter { $0.kind != .left }
            if let agreed, let more = acts.first(where: { $0.kind == .remove && !agreed.contains($0.path) }) {
                throw AdminFault(
                    .tryLater,
                    "'\(more.path)' has come meanwhile, and would be removed",
                    remedy: "Nothing was done. Apply it again: all that goes is shown."
                )
            }
            // What was made a moment ago, and is finished now, was shown as a whole.
            let made = Set(rows.filter { $0.change == "add" }.map(\.path))
            rows += (round == 1 ? changes : acts.filter { !made.contains($0.item) }).map(TenantChangeRow.init)
            if acts.isEmpty { return Listing(rows, notes: notes(rows, changes, snapshot)) }
            for change in acts {
                for line in change.lines { try await run(line, change.path, services) }
            }
        }
        let last = rows.suffix(3).map { "\($0.path) \($0.after)" }.joined(separator: "; ")
        throw AdminFault(
            .dataRefused,
            "'\(path)': the tenant does not become what it says: \(FileFault.short(last))",
            remedy: "Nothing was done. Look at these values: another way of writing them is what is kept."
        )
    }

    private func changes(_ snapshot: TenantSnapshot, _ services: any AdminServices)
        async throws(AdminFault) -> [TenantChange]
    {
        var difference = TenantDifference(snapshot: snapshot, wanted: file, prunes: prunes, folder: folder)
        difference.kept = try await TenantSecrets(file: file, folder: folder, path: path).kept(in: snapshot, services)
        do throws(FileFault) {
            return try difference.changes()
        } catch {
            throw error.told(of: path)
        }
    }

    private func exists(_ slug: Slug, _ services: any AdminServices) async throws(AdminFault) -> Bool {
        do throws(AdminFault) {
            _ = try await services.tenant(slug)
            return true
        } catch {
            guard error.status == .notFound else { throw error }
            return false
        }
    }

    /// As if it was typed; what is refused is refused at its place in the file.
    private func run(_ words: [String], _ place: String, _ services: any AdminServices) async throws(AdminFault) {
        let command: any AdminCommand
        do throws(UsageError) {
            guard case .command(let entry, let rest) = try CommandTable.standard.match(words) else {
                throw UsageError("no such command")
            }
            var reader = try ArgumentReader(rest, guide: entry.guide)
            command = try entry.read(&reader)
            try reader.finish()
        } catch {
            throw FileFault(place, error.message).told(of: path)
        }
        do throws(AdminFault) {
            _ = try await command.answer(services)
        } catch {
            throw AdminFault(
                error.status,
                "'\(path)', \(FileFault.short(place)): \(error.message)",
                remedy: error.remedy
            )
        }
    }

    private func notes(_ rows: [TenantChangeRow], _ last: [TenantChange], _ snapshot: TenantSnapshot) -> [String] {
        var notes: [String] = []
        if rows.allSatisfy({ $0.change == "left" }) { notes.append("Nothing to change.") }
        if !last.isEmpty { notes.append("The file has not all of it: --prune removes what is left.") }
        if rows.contains(where: { $0.change == "add" && $0.path.hasPrefix("webhooks[") }) {
            notes.append("`chiladmin webhook rotate` shows a secret for a new webhook endpoint.")
        }
        return notes + TenantSecrets(file: file, folder: folder, path: path).missing(in: snapshot)
    }
}

extension TenantChangeRow {
    init(_ change: TenantChange) {
        self.init(change: change.kind.rawValue, path: change.path, before: change.before, after: change.after)
    }
}
