import ChilDevIssuer

/// `chiladmin dev issuer`
struct DevIssuer: AdminCommand {
    static let effect = Effect.reachesOut("it serves until it is ended")
    static let guide = CommandGuide(
        path: ["dev", "issuer"],
        summary: "stand in for Apple: sign-in page, codes, tokens, revocation, keys, notifications",
        examples: [
            .init("chiladmin dev issuer --keys keys --listen 127.0.0.1:8082", "until Ctrl-C or SIGTERM"),
            .init(
                "chiladmin dev issuer --keys keys --listen 127.0.0.1:8082 --quirk string-booleans --rotate-every 60",
                "like the real one on a bad day"
            ),
        ],
        flags: [
            .required("--keys", "DIR", "es256.pem, rs256.pem and a team's key, made there if missing"),
            .required("--listen", "HOST:PORT", "where to serve plain HTTP: an address of this machine alone"),
            .flag("--issuer", "URL", "the iss of its tokens (default: http://HOST:PORT)"),
            .flag("--other-issuer", "URL", "a second iss, for the quirk other-issuer"),
            .flag("--alg", "ES256|RS256", "which key signs (default: ES256)"),
            .flag(
                "--client",
                "ID[=REDIRECT]",
                repeats: true,
                "a known client, and a redirect URI of it (default: all)"
            ),
            .flag("--team-key", "TEAM:KEY:FILE", repeats: true, "who may sign client secrets too: .p8 or public PEM"),
            .flag("--quirk", "NAME", repeats: true, Quirk.allCases.map(\.rawValue).joined(separator: ", ")),
            .flag("--rotate-every", "SECONDS", "a fresh key signs from time to time; older ones stay published"),
            .toggle("--in-container", "serve other addresses too: for a network that only containers are in"),
        ],
        remarks: [
            "Serves /auth/authorize, /auth/token, /auth/revoke, /auth/usermigrationinfo, /auth/keys and /.well-known/jwks.json;",
            "POST /dev/code, /dev/notify, /dev/rotate, /dev/quirks and /dev/fail take JSON (docs/sign-in.md).",
            "Client secrets are taken of team \(DevelopmentTeam.teamID), key \(DevelopmentTeam.keyID): DIR/\(DevelopmentTeam.fileName).",
            "What it gave out is forgotten when it ends. Whoever reads DIR can sign in as anybody where this issuer is accepted:",
            "never for production.",
        ]
    )

    let draft: IssuerDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        var draft = IssuerDraft(
            keysFolder: try words.required("--keys"),
            listen: try words.required("--listen"),
            issuer: try words.optional("--issuer")
        )
        draft.otherIssuer = try words.optional("--other-issuer")
        draft.algorithm = try words.optional("--alg") ?? .es256
        draft.clients = try words.all("--client")
        draft.teamKeys = try words.all("--team-key")
        draft.quirks = Set(try words.all("--quirk") as [Quirk])
        draft.rotation = try words.optional("--rotate-every")
        draft.isInContainer = words.isSet("--in-container")
        guard draft.rotation?.count ?? 1 > 0 else {
            throw UsageError("--rotate-every: not a number of seconds from 1 on")
        }
        guard !draft.quirks.contains(.otherIssuer) || draft.otherIssuer != nil else {
            throw UsageError("--other-issuer is missing", hint: "The quirk other-issuer needs a second issuer.")
        }
        self.draft = draft
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TokenRow> {
        try await services.serveIssuer(draft)
        return .silent(notes: ["Stopped."])
    }
}

extension Quirk: ArgumentChoice {}
