import ChilCore

/// Applies a file: by the ordinary commands, with their checks and their audit, until nothing differs.
struct TenantApplication {
    let file: TenantFile
    let prunes: Bool
    let path: String

    /// What is made is changed in a second round, where its command has no word for all of it.
    private static let roundsMax = 4

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantChangeRow> {
        guard let slug = Slug(file.slug) else { throw FileFault("slug", "is not a tenant's slug").told(of: path) }
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
        var notes: [String] = []
        for round in 1...Self.roundsMax {
            let snapshot = try await TenantSnapshot(of: slug, services)
            let changes: [TenantChange]
            do throws(FileFault) {
                changes = try TenantDifference(snapshot: snapshot, wanted: file, prunes: prunes).changes()
            } catch {
                throw error.told(of: path)
            }
            let acts = changes.filter { $0.kind != .left }
            // What was made a moment ago, and is finished now, was shown as a whole.
            let isMade = Set(rows.filter { $0.change == "add" }.map(\.path))
            rows += (round == 1 ? changes : acts.filter { !isMade.contains($0.path) }).map(TenantChangeRow.init)
            if acts.isEmpty {
                notes = Self.notes(rows, changes)
                return Listing(rows, notes: notes)
            }
            for change in acts {
                for line in change.lines { try await run(line, change.path, services) }
            }
        }
        throw AdminFault(
            .dataRefused,
            "'\(path)': the tenant does not become what it says: \(rows.suffix(3).map { "\($0.path) \($0.after)" }.joined(separator: "; "))",
            remedy: "Nothing was done. Look at these values: another way of writing them is what is kept."
        )
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
            throw AdminFault(error.status, "'\(path)', \(place): \(error.message)", remedy: error.remedy)
        }
    }

    private static func notes(_ rows: [TenantChangeRow], _ last: [TenantChange]) -> [String] {
        var notes: [String] = []
        if rows.allSatisfy({ $0.change == "left" }) { notes.append("Nothing is to be changed.") }
        if !last.isEmpty { notes.append("The file has not all of it: --prune removes what is left.") }
        if rows.contains(where: { $0.change == "add" && $0.path.hasPrefix("webhooks[") }) {
            notes.append("`chiladmin webhook rotate` shows a secret for a new webhook endpoint.")
        }
        if rows.contains(where: { $0.path.hasPrefix("generators[") && $0.after.contains("hasKey=on") }) {
            notes.append(
                "A generator's key is in no file: `chiladmin generator update TENANT SERVICE --key-file FILE`."
            )
        }
        return notes
    }
}

extension TenantChangeRow {
    init(_ change: TenantChange) {
        self.init(change: change.kind.rawValue, path: change.path, before: change.before, after: change.after)
    }
}
