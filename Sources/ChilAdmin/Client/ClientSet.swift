import ChilCore
import ChilStore

/// `chiladmin client set`
struct ClientSet: SecretCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["client", "set"],
        summary: "change what a tenant accepts, and who it is to the provider",
        examples: [
            .init(
                "chiladmin client set chillin --team A1B2C3D4E5 --key-id F6G7H8I9J0 --p8-file AuthKey_F6G7H8I9J0.p8",
                "exchange codes and revoke tokens at Apple; the key is sealed in the database"
            ),
            .init(
                "chiladmin client set chillin --client-id com.example.web --use web "
                    + "--redirect-uri https://api.example/chillin/auth/apple/callback --return-url com.example.app://signed-in",
                "a Services ID, for browsers and Android"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            ProviderChoice.issuerFlag,
            .flag("--client-id", "ID", "the client id that --use is for; also names the record"),
            .flag("--team", "TEAM", "the team's identifier (default: as before)"),
            .flag("--key-id", "KEY", "the identifier of the key in --p8-file"),
            .flag("--p8-file", "FILE", "the private key as the provider gave it out; - is standard input"),
            .toggle("--no-credentials", "forget team and key: codes are exchanged no more"),
            .flag("--use", "native|web", "native: an app's bundle id; web: a Services ID"),
            .flag("--redirect-uri", "URL", "web: where the provider posts to, as registered there"),
            .flag("--return-url", "URL", "web: where the browser goes in the end, with a code for the app"),
            .flag("--issuer", "URL", repeats: true, "all accepted values of iss, in place of those of before"),
            .flag("--jwks-url", "URL", "where the issuer's keys are"),
            .flag("--algorithms", "LIST", "ES256, RS256 or both with a comma"),
            .flag("--nonce-policy", "server|client|optional", "who makes the nonce"),
            .flag("--token-age-max", "SECONDS", "how old an identity token may be, by its iat: 60 to 86400"),
            .flag("--allow-private", "HOST:PORT", "reach the provider there though the address is private"),
            .toggle("--no-allow-private", "public addresses only"),
            .flag("--authorize-url", "URL", "where browsers sign in"),
            .flag("--token-url", "URL", "where codes are exchanged"),
            .flag("--revoke-url", "URL", "where tokens are revoked"),
            .flag("--migration-url", "URL", "where users are moved between teams"),
        ],
        remarks: [
            "Running services act on it within a second. Check it with `chiladmin client check TENANT`.",
            "Without --p8-file a terminal asks for the key's text, and does not show it.",
            "Records of Apple's have Apple's URLs from the start. http:// is for records made with --development.",
        ]
    )

    /// How old a token may be at most: Apple's live for a day.
    static let tokenAgeRange: ClosedRange<Int64> = 60...86_400

    let tenant: Slug
    let change: ProviderChange

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        var change = ProviderChange(
            choice: ProviderChoice(
                issuer: try words.optional("--for-issuer"),
                clientID: try words.optional("--client-id")
            )
        )
        change.credentials = try Self.credentials(&words)
        if words.isSet("--no-credentials") {
            guard change.credentials == nil else { throw Self.contradiction("--no-credentials", "--p8-file") }
            change.settings.credentials = .remove
        }
        change.use = try Self.use(&words, of: change.choice.clientID)
        try Self.readSettings(&words, &change)
        guard !change.isEmpty else {
            throw UsageError("nothing to change", hint: "`chiladmin client set --help` shows what can be set.")
        }
        self.change = change
    }

    private static let together =
        "Give --team, --key-id and --p8-file together; --team may be left out when only the key changes."

    var questions: [SecretQuestion] {
        guard let credentials = change.credentials else { return [] }
        let path = credentials.isFileGiven ? credentials.keyFile : nil
        let prompt = "The .p8 file's text, to its line of END"
        return [SecretQuestion("--p8-file", path, prompt, isBlock: true, hint: Self.together)].compactMap { $0 }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ClientRow> {
        Listing(
            try await services.setProvider(change, of: tenant),
            notes: change.credentials == nil ? [] : ["Check them: `chiladmin client check \(tenant)`."]
        )
    }

    private static func credentials(_ words: inout ArgumentReader) throws(UsageError) -> ProviderChange.Credentials? {
        let team: ProviderWord? = try words.optional("--team")
        let key: ProviderWord? = try words.optional("--key-id")
        let file: String? = try words.optional("--p8-file")
        guard team != nil || key != nil || file != nil else { return nil }
        guard let key else { throw UsageError("--key-id is missing", hint: together) }
        return ProviderChange.Credentials(
            teamID: team,
            keyID: key,
            keyFile: file ?? SecretQuestion.standardInput,
            isFileGiven: file != nil
        )
    }

    private static func use(
        _ words: inout ArgumentReader,
        of clientID: ClientID?
    ) throws(UsageError) -> ProviderChange.ClientUse? {
        let use: ProviderClientRecord.Use? = try words.optional("--use")
        let redirectURI: WebAddress? = try words.optional("--redirect-uri")
        let returnURL: ReturnAddress? = try words.optional("--return-url")
        guard use != nil || redirectURI != nil || returnURL != nil else { return nil }
        guard clientID != nil else {
            throw UsageError("--client-id is missing", hint: "--use is a client id's own: name it by --client-id.")
        }
        switch use {
        case .web:
            guard let redirectURI, let returnURL else {
                throw UsageError(
                    "\(redirectURI == nil ? "--redirect-uri" : "--return-url") is missing",
                    hint: "--use web needs both."
                )
            }
            return .web(redirectURI: redirectURI, returnURL: returnURL)
        case .native, nil:
            guard redirectURI == nil, returnURL == nil else {
                throw UsageError(
                    "--use web is missing",
                    hint: "Only a Services ID has a redirect URI and a return URL."
                )
            }
            return .native
        }
    }

    private static func readSettings(_ words: inout ArgumentReader, _ change: inout ProviderChange) throws(UsageError) {
        let issuers: [WebAddress] = try words.all("--issuer")
        guard Set(issuers).count == issuers.count else { throw UsageError("--issuer: one is given twice") }
        var addresses = issuers
        func address(_ flag: String) throws(UsageError) -> String? {
            guard let address: WebAddress = try words.optional(flag) else { return nil }
            addresses.append(address)
            return address.text
        }
        if !issuers.isEmpty { change.settings.issuers = issuers.map(\.text) }
        change.settings.jwksURL = try address("--jwks-url")
        change.settings.authorizeURL = try address("--authorize-url")
        change.settings.tokenURL = try address("--token-url")
        change.settings.revokeURL = try address("--revoke-url")
        change.settings.migrationURL = try address("--migration-url")
        let algorithms: TokenAlgorithmList? = try words.optional("--algorithms")
        change.settings.algorithms = algorithms?.algorithms.map(\.rawValue)
        change.settings.noncePolicy = try words.optional("--nonce-policy")
        if let age: Seconds = try words.optional("--token-age-max") {
            guard tokenAgeRange.contains(age.count) else {
                throw UsageError("--token-age-max: not a whole number from 60 to 86400")
            }
            change.settings.iatAgeMax = .seconds(age.count)
        }
        let endpoint: HostPort? = try words.optional("--allow-private")
        if let endpoint { change.settings.allowedPrivateEndpoint = .set(endpoint.text) }
        if words.isSet("--no-allow-private") {
            guard endpoint == nil else { throw contradiction("--no-allow-private", "--allow-private") }
            change.settings.allowedPrivateEndpoint = .remove
        }
        change.unencrypted = addresses.filter { !$0.isEncrypted }.map(\.text)
        if case .web(let redirectURI, let returnURL) = change.use {
            if !redirectURI.isEncrypted { change.unencrypted.append(redirectURI.text) }
            if returnURL.isEncrypted == false { change.unencrypted.append(returnURL.text) }
        }
    }

    private static func contradiction(_ one: String, _ other: String) -> UsageError {
        UsageError("\(one) and \(other) exclude each other", hint: "Give one of them.")
    }
}

extension ProviderClientRecord.Use: ArgumentChoice {}
