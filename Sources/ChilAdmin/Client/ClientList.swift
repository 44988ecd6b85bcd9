import ChilCore

/// `chiladmin client list`
struct ClientList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["client", "list"],
        summary: "whose identity tokens a tenant accepts",
        examples: [.init("chiladmin client list chillin", "client ids with their issuers")],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")]
    )

    let tenant: Slug

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ClientRow> {
        let clients = try await services.clients(of: tenant)
        let hint = "No client id, so nobody can sign in: `chiladmin client add \(tenant) --client-id ID` adds one."
        return Listing(clients, notes: clients.isEmpty ? [hint] : [])
    }
}
