import ChilCore

/// `chiladmin client check`
struct ClientCheck: AdminCommand {
    static let effect = Effect.reachesOut("it asks the provider, and keeps whether the credentials are good")
    static let guide = CommandGuide(
        path: ["client", "check"],
        summary: "ask the provider whether it knows a tenant's credentials; nobody is signed in",
        examples: [
            .init("chiladmin client check chillin", "exit status 1 when they are refused, 75 when nobody answers")
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            ProviderChoice.issuerFlag,
            .flag("--client-id", "ID", "this client id alone (default: all of the record)"),
        ],
        remarks: [
            "Opens the key, signs a client secret, and tries to exchange a made-up code: a provider that refuses the code knows the",
            "credentials. The outcome is kept with the record. It is asked from this machine; chilapi may stand elsewhere.",
        ]
    )

    let tenant: Slug
    let choice: ProviderChoice

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        choice = ProviderChoice(
            issuer: try words.optional("--for-issuer"),
            clientID: try words.optional("--client-id")
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ClientCheckRow> {
        Listing(try await services.checkClients(choice, of: tenant))
    }
}
