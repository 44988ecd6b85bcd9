import ChilCore
import ChilStore

/// `chiladmin client add`
struct ClientAdd: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["client", "add"],
        summary: "accept an app's identity tokens",
        examples: [
            .init("chiladmin client add chillin --client-id com.example.chilhada", "an app that signs in with Apple"),
            .init(
                "chiladmin client add chillin --client-id dev.app --issuer http://127.0.0.1:8082 "
                    + "--jwks-url http://127.0.0.1:8082/.well-known/jwks.json --allow-private 127.0.0.1:8082 --development",
                "the development issuer's tokens"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .required("--client-id", "ID", repeats: true, "the token's aud: a bundle id or Services ID"),
            .flag("--issuer", "URL", repeats: true, "the token's iss (default: Apple's two)"),
            .flag("--jwks-url", "URL", "where the issuer's keys are (default: Apple's)"),
            .flag("--algorithms", "LIST", "ES256, RS256 or both with a comma (default: both)"),
            .flag("--nonce-policy", "server|client|optional", "who makes the nonce (default: server)"),
            .flag("--allow-private", "HOST:PORT", "fetch keys from there though the address is private"),
            .toggle("--development", "allow http:// and share the client id with other tenants; never for production"),
        ],
        remarks: ["A client id of production belongs to one tenant only. Give --issuer and --jwks-url together."]
    )

    let tenant: Slug
    let draft: ProviderDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        let issuers: [WebAddress] = try words.all("--issuer")
        let keysURL: WebAddress? = try words.optional("--jwks-url")
        let isDevelopment = words.isSet("--development")
        guard issuers.isEmpty == (keysURL == nil) else {
            throw UsageError(
                "\(issuers.isEmpty ? "--issuer" : "--jwks-url") is missing",
                hint: "An issuer's tokens are checked with its own keys: give --issuer and --jwks-url together."
            )
        }
        guard isDevelopment || (issuers + [keysURL].compactMap { $0 }).allSatisfy(\.isEncrypted) else {
            throw UsageError("http:// is for development", hint: "Use https://, or add --development.")
        }
        draft = ProviderDraft(
            clientIDs: try words.atLeastOne("--client-id"),
            issuers: issuers.isEmpty ? ProviderDraft.appleIssuers : issuers.map(\.text),
            keysURL: keysURL?.text ?? ProviderDraft.appleKeysURL,
            algorithms: (try words.optional("--algorithms") ?? TokenAlgorithmList.both).algorithms,
            noncePolicy: try words.optional("--nonce-policy") ?? .server,
            privateEndpoint: try words.optional("--allow-private"),
            isDevelopment: isDevelopment
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ClientRow> {
        Listing(try await services.addClients(draft, to: tenant))
    }
}
