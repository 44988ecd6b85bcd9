import ChilCore

/// `chiladmin client remove`
struct ClientRemove: AdminCommand {
    static let guide = CommandGuide(
        path: ["client", "remove"],
        summary: "accept an app's identity tokens no more",
        examples: [
            .init("chiladmin client remove chillin --client-id com.example.chilhada", "its next sign-in is refused")
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [.required("--client-id", "ID", "the client id")],
        remarks: ["Users, drawings and sessions stay."]
    )

    let tenant: Slug
    let clientID: ClientID

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        clientID = try words.required("--client-id")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ClientRow> {
        Listing(try await services.removeClient(clientID, from: tenant), notes: ["Removed."])
    }
}
