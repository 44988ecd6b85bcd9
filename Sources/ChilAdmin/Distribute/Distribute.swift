import ChilStore

/// `chiladmin distribute`
struct Distribute: SevereCommand {
    static let effect = Effect.reachesOut("`distribute --print` shows its statements, `distribute --check` what holds")
    static let guide = CommandGuide(
        path: ["distribute"],
        summary: "spread the database over several machines by tenant (Citus)",
        examples: [
            .init(
                "chiladmin distribute --database-url postgresql://postgres@db.example/chil",
                "print the statements, run none"
            ),
            .init("chiladmin distribute --run --shards 64", "run them, with chilapi stopped"),
            .init("chiladmin distribute --check", "whether everything is where it belongs"),
        ],
        flags: [
            .toggle("--print", "print what would be run, for psql (this is also what happens without a word)"),
            .toggle("--run", "run it; broken off and run again, it goes on"),
            .toggle("--check", "look and say what is not as it should be"),
            .flag("--shards", "COUNT", "into how many pieces tenants' tables are cut (32)"),
            .confirm("distribute"),
        ],
        remarks: [
            "Wants an administrator of a database that `chiladmin migrate` has brought up to date. For --run and --check: Citus 12 or later "
                + "on every machine, the extension made, the machines added (citus_add_node).",
            "Stop chilapi first and start it with CHIL_SEGMENT=explicit after it: it refuses to start otherwise. docs/growing.md tells more.",
        ]
    )

    enum Deed: Equatable, Sendable { case show, run, check }

    let deed: Deed
    let shards: ShardCount
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let asked: [(deed: Deed, flag: String)] = [(.show, "--print"), (.run, "--run"), (.check, "--check")]
        let given = asked.filter { words.isSet($0.flag) }
        guard given.count < 2 else {
            throw UsageError(
                "\(given.map(\.flag).joined(separator: " and ")) do not go together",
                hint: "Print, run, or check: one at a time."
            )
        }
        deed = given.first?.deed ?? .show
        shards = try words.optional("--shards") ?? ShardCount(DistributionPlan.shardsUsual)
        confirmed = try words.optional("--confirm")
    }

    var word: String? { deed == .run ? "distribute" : nil }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.distribution)
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<DistributionRow> {
        switch deed {
        case .show:
            let rows = try await services.distribution(shards: shards)
            return Listing(
                texts: rows,
                notes: [rows.isEmpty ? "Nothing is left to do." : "Nothing was run: --run does it, or psql."]
            )
        case .run:
            let rows = try await services.distribute(shards: shards)
            return Listing(
                rows,
                notes: [rows.isEmpty ? "Nothing was left to do." : "Done. Start chilapi with CHIL_SEGMENT=explicit."]
            )
        case .check:
            return Listing(try await services.checkDistribution(), notes: ["Everything is where it belongs."])
        }
    }
}

/// Into how many pieces a tenant's tables are cut.
struct ShardCount: ArgumentValue, Equatable, Sendable {
    static let expectation = "a number of pieces from 1 to \(DistributionPlan.shardsMax)"

    let count: Int

    init(_ count: Int) { self.count = count }

    init?(argument: String) {
        guard let count = Int(argument), (1...DistributionPlan.shardsMax).contains(count) else { return nil }
        self.count = count
    }
}
