import ChilCore

/// `chiladmin key revoke`
struct KeyRevoke: SevereCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["key", "revoke"],
        summary: "make every token of a key void, within a second",
        examples: [.init("chiladmin key revoke chillin KEY-ID", "for a key that somebody else may have")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "KEY", summary: "the key's id: `chiladmin key list TENANT` shows them"),
        ],
        flags: [.confirm("SLUG")],
        remarks: [
            "Sessions go on: an app whose access token is refused refreshes, and has one of the new key.",
            "In the place of an active key comes the next one, or one made now. The private key is wiped; nothing undoes it.",
            "Needs CHIL_KEY_FILE, for the new key.",
        ]
    )

    let tenant: Slug
    let keyID: KeyID
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        keyID = try words.next()
        confirmed = try words.optional("--confirm")
    }

    var word: String? { tenant.description }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.key(keyID, tenant))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<KeyRow> {
        let revocation = try await services.revokeKey(keyID, of: tenant)
        var notes = ["\(revocation.activeKeyID) signs."]
        if revocation.wasRevokedBefore { notes.insert("It was revoked before.", at: 0) }
        return Listing(one: revocation.row, notes: notes)
    }
}
