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
    private func found() async throws(AdminFault) -> (server: ServerState.Row, schema: Int64, loops: Int64) {
        let (server, schema, loops) = try await ask { database throws(DatabaseError) in
            (
                try await database.run(ServerState(), .read, of: nil).first,
                try await database.run(SchemaVersion(), .read, of: nil).first,
                try await database.run(LivingLoops(), .read, of: nil).first
            )
        }
        guard let server else {
            throw AdminFault(.internalFault, "the database did not answer", remedy: "Run `chiladmin migrate`.")
        }
        return (server, Int64(schema ?? 0), loops ?? 0)
    }

    func status() async throws(AdminFault) -> StatusRow {
        let (server, schema, loops) = try await found()
        let question = WorkCounts(at: now(), late: .seconds(600))
        let (tenants, work) = try await ask { database throws(DatabaseError) in
            (
                try await database.run(TenantCounts(), .read, of: nil).first,
                try await database.run(question, .read, of: nil).first
            )
        }
        // A schema that is older has not all of what is asked next.
        guard schema >= SchemaWanted.version else {
            return row(server, schema, loops, tenants, work)
        }
        var row = row(server, schema, loops, tenants, work)
        let records = try await ask { database throws(DatabaseError) in
            try await database.run(ChilStore.TenantList(), .read, of: nil)
        }
        let numbers = records.map(\.id)
        let (troubles, last, sweep) = try await ask { database throws(DatabaseError) in
            (
                try await database.run(PrinterTroubles(of: numbers), .read, of: nil),
                try await database.run(LastDone(of: numbers), .read, of: nil).first,
                try await database.run(LastSweep(), .read, of: nil).first ?? nil
            )
        }
        let slugs = Dictionary(records.map { ($0.id, $0.slug) }) { first, _ in first }
        row.printersInTrouble = troubles.prefix(StatusRow.printersMax).map {
            StatusRow.sentence($0, of: slugs[$0.tenant] ?? "\($0.tenant.rawValue)")
        }
        if troubles.count > StatusRow.printersMax {
            let more = troubles.count - StatusRow.printersMax
            row.printersInTrouble.append(
                "\(more)\(troubles.count == PrinterTroubles.countMax ? " or more" : "") others"
            )
        }
        row.lastSweepAt = sweep?.description
        row.sweptSecondsAgo = sweep.map { now().seconds - $0.seconds }
        row.lastSealAt = last?.sealed?.description
        row.lastDeliveryAt = last?.delivered?.description
        return row
    }

    private func row(
        _ server: ServerState.Row,
        _ schema: Int64,
        _ loops: Int64,
        _ tenants: TenantCounts.Row?,
        _ work: WorkCounts.Row?
    ) -> StatusRow {
        StatusRow(
            database: "PostgreSQL \(server.version), as \(server.role)",
            schemaFound: schema,
            schemaWanted: SchemaWanted.version,
            serviceLoops: loops,
            tenants: (tenants?.active ?? 0) + (tenants?.suspended ?? 0),
            suspendedTenants: tenants?.suspended ?? 0,
            dueJobs: work?.due ?? 0,
            stuckJobs: work?.stuck ?? 0,
            oldestDueAt: work?.oldestDue?.description,
            isReadOnly: server.isReadOnly
        )
    }

    func databaseVersion() async throws(AdminFault) -> (schema: Int64, postgres: String, loops: Int64) {
        let (server, schema, loops) = try await found()
        return (schema, server.version, loops)
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

extension StatusRow {
    /// So many are named.
    static let printersMax = 20

    /// `chillin/office: stopped (media-empty-error) since 2026-11-30T06:00:00Z`
    static func sentence(_ trouble: PrinterTroubles.Row, of tenant: String) -> String {
        var parts: [String] = []
        if let state = trouble.state, [.stopped, .unreachable].contains(state) {
            let reasons = trouble.reasons.isEmpty ? "" : " (\(trouble.reasons.joined(separator: ", ")))"
            parts.append(state.rawValue + reasons)
        }
        if let fault = trouble.certificateFault { parts.append("certificate \(fault)") }
        let since = trouble.since.map { " since \($0)" } ?? ""
        return "\(tenant)/\(trouble.printer): \(parts.joined(separator: ", "))\(since)"
    }
}
