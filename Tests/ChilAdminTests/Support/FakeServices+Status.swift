@testable import ChilAdmin

extension FakeServices: StatusServices {
    func status() async throws(AdminFault) -> StatusRow {
        try note("status")
        return statusRow
    }

    func databaseVersion() async throws(AdminFault) -> (schema: Int64, postgres: String, loops: Int64) {
        try note("version")
        return (SchemaWanted.version, "15.20", 2)
    }

    func slugs(beginning prefix: String, countMax: Int64) async throws(AdminFault) -> [String] {
        try note("slugs \(prefix) \(countMax)")
        return tenantRows.map(\.slug).filter { $0.hasPrefix(prefix) }
    }
}

extension Sample {
    static func status(found: Int64 = SchemaWanted.version, loops: Int64 = 2, stuck: Int64 = 0) -> StatusRow {
        StatusRow(
            database: "PostgreSQL 15.20, as chil_operator",
            schemaFound: found,
            schemaWanted: SchemaWanted.version,
            serviceLoops: loops,
            tenants: 3,
            suspendedTenants: 1,
            dueJobs: stuck,
            stuckJobs: stuck,
            oldestDueAt: nil,
            isReadOnly: false
        )
    }
}
