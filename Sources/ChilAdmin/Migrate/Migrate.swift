/// `chiladmin migrate`
struct Migrate: AdminCommand {
    static let effect = Effect.reachesOut(
        "the statements of a migration are tried by carrying them out, in a database restored from a backup"
    )
    static let guide = CommandGuide(
        path: ["migrate"],
        summary: "make the roles and bring the schema up to date",
        examples: [
            .init(
                "chiladmin migrate --database-url postgresql://postgres@127.0.0.1:5432/chil",
                "as an administrator of the database that was made for it"
            )
        ],
        remarks: [
            "Wants a role that may create roles. Safe while the previous release serves; run again, it changes nothing.",
            "Passwords of chil_service and chil_operator are the administrator's to set.",
        ]
    )

    init(_ words: inout ArgumentReader) throws(UsageError) {}

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<MigrationStep> {
        let steps = try await services.migrate()
        let applied = steps.count { $0.outcome == .applied }
        return Listing(steps, notes: [applied == 0 ? "The schema was up to date." : "Migrations applied: \(applied)."])
    }
}
