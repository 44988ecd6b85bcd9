import ChilCore

/// `chiladmin client remove`
struct ClientRemove: SevereCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["client", "remove"],
        summary: "accept an app's identity tokens no more",
        examples: [
            .init("chiladmin client remove chillin --client-id com.example.chilhada", "its next sign-in is refused")
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [.required("--client-id", "ID", "the client id"), .confirm("SLUG")],
        remarks: ["Users, drawings and sessions stay."]
    )

    let tenant: Slug
    let clientID: ClientID
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        clientID = try words.required("--client-id")
        confirmed = try words.optional("--confirm")
    }

    var word: String? { tenant.description }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.client(clientID, tenant))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ClientRow> {
        Listing(try await services.removeClient(clientID, from: tenant), notes: ["Removed."])
    }
}
