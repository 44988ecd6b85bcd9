import ChilCore
import ChilDatabase
import ChilStore

/// What `status`, `version` and completion need.
protocol StatusServices {
    func status() async throws(AdminFault) -> StatusRow
    func databaseVersion() async throws(AdminFault) -> (schema: Int64, postgres: String, loops: Int64)
    /// In their order, not more than that.
    func slugs(beginning prefix: String, countMax: Int64) async throws(AdminFault) -> [String]
}

enum SchemaWanted {
    static var version: Int64 { Int64(SchemaVersion.needed) }
}

extension LiveServices: StatusServices {
    private func look() async throws(AdminFault) -> (ServiceStatus.Row, schema: Int64) {
        let question = ServiceStatus(at: now(), late: .seconds(600))
        let (row, schema) = try await ask { database throws(DatabaseError) in
            (
                try await database.run(question, .read, of: nil).first,
                try await database.run(SchemaVersion(), .read, of: nil).first
            )
        }
        guard let row else {
            throw AdminFault(.internalFault, "the database did not answer", remedy: "Run `chiladmin migrate`.")
        }
        return (row, Int64(schema ?? 0))
    }

    func status() async throws(AdminFault) -> StatusRow {
        let (row, schema) = try await look()
        return StatusRow(
            database: "PostgreSQL \(row.postgres), as \(row.role)",
            schemaFound: schema,
            schemaWanted: SchemaWanted.version,
            serviceLoops: row.loops,
            tenants: row.activeTenants + row.suspendedTenants,
            suspendedTenants: row.suspendedTenants,
            dueJobs: row.due,
            stuckJobs: row.stuck,
            oldestDueAt: row.oldestDue?.description,
            disabledPrinters: row.disabledPrinters,
            isReadOnly: row.isReadOnly
        )
    }

    func databaseVersion() async throws(AdminFault) -> (schema: Int64, postgres: String, loops: Int64) {
        let (row, schema) = try await look()
        return (schema, row.postgres, row.loops)
    }

    func slugs(beginning prefix: String, countMax: Int64) async throws(AdminFault) -> [String] {
        let question = TenantSlugs(beginning: prefix, countMax: countMax)
        return try await ask { database throws(DatabaseError) in try await database.run(question, .read, of: nil) }
    }

    /// The fault that there is no such tenant, with the slug that was likely meant: among those that begin alike, then among all, a
    /// bounded number of each.
    func noSuchTenant(_ slug: Slug) async -> AdminFault {
        for prefix in [String(slug.text.prefix(1)), ""] {
            let known = (try? await slugs(beginning: prefix, countMax: 1_000)) ?? []
            if let near = Suggestion.nearest(to: slug.text, among: known) {
                return AdminFault(.notFound, "no tenant '\(slug.text)'", remedy: "Did you mean \(near)?")
            }
        }
        return .noSuchTenant(slug.text)
    }
}
