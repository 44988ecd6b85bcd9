import ChilCore

/// `chiladmin key rotate`
struct KeyRotate: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["key", "rotate"],
        summary: "let a new key sign a tenant's access tokens",
        examples: [
            .init("chiladmin key rotate chillin", "publish a new key; five minutes later the same line lets it sign"),
            .init("chiladmin key rotate chillin --now", "publish it and let it sign, for who cannot wait"),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [.toggle("--now", "without waiting until whoever keeps the key set has fetched it anew")],
        remarks: [
            "Nobody is signed out, no request fails: the old key verifies until its last token is over.",
            "chilapi never needs the wait; others that verify these tokens by the published key set do.",
            "Needs CHIL_KEY_FILE: the key is sealed under its highest version.",
        ]
    )

    let tenant: Slug
    let wait: KeyRotation.Wait

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        wait = words.isSet("--now") ? .not : .untilSeen
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<KeyRow> {
        let rotation = try await services.rotateKey(of: tenant, waiting: wait)
        let keys = try await services.keys(of: tenant)
        let note =
            switch rotation.step {
            case .published:
                "Published. Run this again in five minutes, and it signs."
            case .waiting(let moment): "It has not been published for five minutes: run this again after \(moment)."
            case .activated: "It signs within two seconds. The one before verifies until its last token is over."
            }
        return Listing(keys.filter { $0.keyID == rotation.keyID }, notes: [note])
    }
}
