/// `chiladmin dev issuer`
struct DevIssuer: AdminCommand {
    static let guide = CommandGuide(
        path: ["dev", "issuer"],
        summary: "stand in for Apple: serve a key set that `dev token` signs for",
        examples: [
            .init("chiladmin dev issuer --keys keys --listen 127.0.0.1:8082", "until Ctrl-C or SIGTERM")
        ],
        flags: [
            .required("--keys", "DIR", "es256.pem and rs256.pem, made there if missing"),
            .required("--listen", "HOST:PORT", "where to serve plain HTTP"),
            .flag("--issuer", "URL", "the iss of its tokens (default: http://HOST:PORT)"),
        ],
        remarks: [
            "Serves /.well-known/jwks.json and /auth/keys; key ids dev-es256-1 and dev-rs256-1.",
            "Whoever reads DIR can sign in as anybody where this issuer is accepted: never for production.",
        ]
    )

    let draft: IssuerDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        draft = IssuerDraft(
            keysFolder: try words.required("--keys"),
            listen: try words.required("--listen"),
            issuer: try words.optional("--issuer")
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TokenRow> {
        try await services.serveIssuer(draft)
        return .silent(notes: ["Stopped."])
    }
}
