import ChilCore
import ChilDatabase
import ChilExport
import ChilStore

extension LiveServices {
    func exportUser(_ user: UserNumber, of slug: Slug, to path: String) async throws(AdminFault) -> UserExportRow {
        let tenant = try await record(of: slug)
        // Before the file: whoever is not there gets none.
        _ = try await self.user(user, of: slug)
        let file = try makeFile(at: path)
        try await audit("account.export", on: "\(user.id.rawValue)", in: tenant.id)
        let service = settings.publicURL.map { "\($0)/\(slug.text)" } ?? slug.text
        let now = now()
        let objects = try imageObjects()
        let progress = progress("user export", of: nil, "KiB")
        defer { progress.end() }
        return try await withOwnDatabase({ $0.reading }) { database throws(DatabaseError) in
            let archive = AccountArchive(
                of: user.id,
                in: tenant.id,
                service: service,
                at: now,
                from: database,
                objects: objects
            )
            return await Self.write(archive, of: user, slug, to: file, at: path, progress)
        }.get()
    }

    private static func write(
        _ archive: AccountArchive,
        of user: UserNumber,
        _ slug: Slug,
        to file: any LineFile,
        at path: String,
        _ progress: Progress
    ) async -> Result<UserExportRow, AdminFault> {
        var byteCount: Int64 = 0
        do {
            while let piece = try await archive.next() {
                try file.append(piece)
                byteCount += Int64(piece.count)
                progress.reached(byteCount >> 10)
            }
            try file.place()
            return .success(UserExportRow(path: path, bytes: byteCount, entries: archive.entryCount))
        } catch let fault as AdminFault {
            return .failure(fault)
        } catch ExportFault.accountGone {
            return .failure(.exportEnded(user, tenant: slug.text))
        } catch let error as DatabaseError {
            return .failure(AdminFault(error))
        } catch {
            return .failure(
                AdminFault(.tryLater, "\(error)", remedy: "Look whether the user is still there, then export again.")
            )
        }
    }
}

extension AdminFault {
    fileprivate static func exportEnded(_ user: UserNumber, tenant: String) -> Self {
        Self(
            .notFound,
            "user \(user.id.rawValue) of tenant '\(tenant)' was deleted while the export was written; nothing was kept of it",
            remedy: "`chiladmin user list \(tenant)` shows its users."
        )
    }
}

extension DatabaseConfiguration {
    /// For reading much, one thing after another.
    fileprivate var reading: DatabaseConfiguration {
        var reading = self
        reading.readConnections = 1
        reading.writeConnections = 0
        reading.writeConnectionsMax = 0
        reading.bulkConnections = 1
        return reading
    }
}
