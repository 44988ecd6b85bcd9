/// `chiladmin status`
struct StatusShow: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["status"],
        summary: "how it stands, on one screen; exit status 1 if something is wrong",
        examples: [
            .init("chiladmin status", "database, schema, services, tenants, jobs"),
            .init("chiladmin status -o json --field stuckJobs", "for a monitor"),
        ],
        remarks: [
            "Printers in trouble are those that are stopped, out of reach or show another certificate; that alone is no fault of the service.",
            "Counts end at 10000. A job is stuck that was due ten minutes ago and that no service took.",
            "`chiladmin doctor` looks closer.",
        ]
    )

    init(_ words: inout ArgumentReader) throws(UsageError) {}

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<StatusRow> {
        let row = try await services.status()
        return Listing(one: row, notes: row.faults, status: row.faults.isEmpty ? .success : .failed)
    }
}

struct StatusRow: ListingRow, Equatable {
    let database: String
    let schemaFound: Int64
    let schemaWanted: Int64
    let serviceLoops: Int64
    let tenants: Int64
    let suspendedTenants: Int64
    let dueJobs: Int64
    let stuckJobs: Int64
    let oldestDueAt: String?
    let isReadOnly: Bool
    /// Sentences: which, why, since when.
    var printersInTrouble: [String] = []
    var lastSweepAt: String?
    var lastSealAt: String?
    var lastDeliveryAt: String?
    /// How long ago all tenants were swept.
    var sweptSecondsAgo: Int64?

    static let nameKey = "state"
    static let columns: [Column<Self>] = [
        Column("state") { .text($0.faults.isEmpty ? "well" : "wrong") },
        Column("database") { .text($0.database) },
        Column("readOnly") { .flag($0.isReadOnly) },
        Column("schemaFound") { .number($0.schemaFound) },
        Column("schemaWanted") { .number($0.schemaWanted) },
        Column("serviceLoops") { .number($0.serviceLoops) },
        Column("tenants") { .number($0.tenants) },
        Column("suspendedTenants") { .number($0.suspendedTenants) },
        Column("dueJobs") { .number($0.dueJobs) },
        Column("stuckJobs") { .number($0.stuckJobs) },
        Column("oldestDueAt") { .optional($0.oldestDueAt) },
        Column("faults") { .list($0.faults) },
        Column("printersInTrouble") { .list($0.printersInTrouble) },
        Column("lastSweepAt") { .optional($0.lastSweepAt) },
        Column("lastSealAt") { .optional($0.lastSealAt) },
        Column("lastDeliveryAt") { .optional($0.lastDeliveryAt) },
    ]

    /// A sweep begins each minute.
    static let sweepSecondsMax: Int64 = 900

    /// Sentences, each with what to do.
    var faults: [String] {
        var faults: [String] = []
        if schemaFound < schemaWanted {
            faults.append("The schema is older than this release: run `chiladmin migrate`.")
        }
        if schemaFound > schemaWanted {
            faults.append("The schema is newer than this release: take the newer chiladmin.")
        }
        if serviceLoops == 0 { faults.append("No chilapi is running on this database: start it.") }
        if stuckJobs > 0 { faults.append("Jobs are stuck: see chilapi's log and `chiladmin job stats TENANT`.") }
        if serviceLoops > 0, let seconds = sweptSecondsAgo, seconds > Self.sweepSecondsMax {
            faults.append("Nothing was swept for \(seconds / 60) minutes: see chilapi's log.")
        }
        return faults
    }
}

/// `chiladmin version`
struct Version: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["version"],
        summary: "the release of this command, and what the database has",
        examples: [
            .init("chiladmin version", "client, schema wanted and found, PostgreSQL, services"),
            .init("chiladmin version --field schemaFound", "one of them alone"),
        ],
        remarks: [
            "Without a database what it would say of it is missing, and that is no failure. --version asks no database."
        ]
    )

    init(_ words: inout ArgumentReader) throws(UsageError) {}

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<VersionRow> {
        var row = VersionRow()
        do throws(AdminFault) {
            let found = try await services.databaseVersion()
            row.postgres = found.postgres
            row.schemaFound = found.schema
            row.loops = found.loops
            return Listing(one: row)
        } catch {
            return Listing(one: row, notes: ["The database was not asked: \(error.message)."])
        }
    }
}

struct VersionRow: ListingRow, Equatable {
    var schemaFound: Int64?
    var postgres: String?
    var loops: Int64?

    static let nameKey = "client"
    static let columns: [Column<Self>] = [
        Column("client") { _ in .text(Program.version) },
        Column("schemaWanted") { _ in .number(SchemaWanted.version) },
        Column("schemaFound") { $0.schemaFound.map { .number($0) } ?? .none },
        Column("postgresql") { .optional($0.postgres) },
        Column("serviceLoops") { $0.loops.map { .number($0) } ?? .none },
    ]
}
