import ChilCore
import Glibc

/// `chiladmin dev token`
struct DevToken: AdminCommand {
    static let effect = Effect.reachesOut("it signs for tests and has no database")
    static let guide = CommandGuide(
        path: ["dev", "token"],
        summary: "make an identity token as the development issuer would",
        examples: [
            .init(
                "chiladmin dev token --keys keys --issuer http://127.0.0.1:8082 --client-id dev.app --subject ann",
                "one token on standard output"
            ),
            .init(
                "chiladmin dev token --keys keys --issuer http://127.0.0.1:8082 --client-id dev.app --subject load "
                    + "--count 100000 --out tokens.txt",
                "many distinct ones, a line each, subjects load-1, load-2…"
            ),
        ],
        flags: [
            .required("--keys", "DIR", "the issuer's folder of keys"),
            .required("--issuer", "URL", "iss"),
            .required("--client-id", "ID", "aud"),
            .required("--subject", "TEXT", "sub: who signs in"),
            .flag("--alg", "ES256|RS256", "which key signs (default: ES256)"),
            .flag("--nonce", "TEXT", "nonce, as it shall stand in the token"),
            .flag("--email", "TEXT", "email, with email_verified true"),
            .flag("--expires-in", "SECONDS", "exp − iat (default: 600); negative for one that is over"),
            .flag("--issued-at", "SECONDS", "iat, since 1970 (default: now)"),
            .flag("--claim", "NAME=VALUE", repeats: true, "another claim, JSON or text; replaces one of that name"),
            .flag("--count", "N", "how many; needs --out"),
            .flag("--subjects", "N", "with --count: so many subjects in turn (default: one for each token)"),
            .flag("--out", "FILE", "where to, a line each; mode 0600, replaced if it is there"),
        ]
    )

    let keysFolder: String
    let algorithm: TokenAlgorithm
    let issuer: WebAddress
    let clientID: ClientID
    let subject: String
    let nonce: String?
    let email: String?
    let issuedAt: Seconds?
    let lifetime: Seconds
    let extraClaims: [ExtraClaim]
    let bulk: (count: Int, path: String)?
    let subjectCount: Int?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        keysFolder = try words.required("--keys")
        algorithm = try words.optional("--alg") ?? .es256
        issuer = try words.required("--issuer")
        clientID = try words.required("--client-id")
        subject = try words.required("--subject")
        nonce = try words.optional("--nonce")
        email = try words.optional("--email")
        issuedAt = try words.optional("--issued-at")
        lifetime = try words.optional("--expires-in") ?? Seconds(600)
        extraClaims = try words.all("--claim")
        bulk = try Self.bulk(count: try words.optional("--count"), path: try words.optional("--out"))
        subjectCount = try Self.count("--subjects", try words.optional("--subjects"))
        guard subjectCount == nil || bulk != nil else {
            throw UsageError("--count is missing", hint: "--subjects N needs --count and --out.")
        }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TokenRow> {
        let draft = TokenDraft(
            issuer: issuer.text,
            clientID: clientID,
            subject: subject,
            nonce: nonce,
            email: email,
            issuedAt: issuedAt.map { Timestamp(seconds: $0.count) } ?? services.now(),
            lifetime: lifetime,
            extraClaims: extraClaims
        )
        let count = bulk?.count ?? 1
        let seed = UInt64.random(in: 0...(.max))
        let batch = TokenBatch(draft: draft, count: count, subjectCount: subjectCount ?? count, seed: seed)
        guard let bulk else {
            let token = try batch.single(signer: try services.tokenSigner(keys: keysFolder, algorithm: algorithm))
            return Listing(one: TokenRow(token: String(decoding: token, as: UTF8.self)), shape: .bare)
        }
        let file = try services.makeFile(at: bulk.path)
        let signer = try services.tokenSigner(keys: keysFolder, algorithm: algorithm)
        try await batch.write(to: file, signer: signer, width: Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        try file.place()
        return .silent(notes: ["\(bulk.count) tokens in \(bulk.path)."])
    }

    private static func bulk(count: Int64?, path: String?) throws(UsageError) -> (count: Int, path: String)? {
        guard count != nil || path != nil else { return nil }
        guard let path else { throw UsageError("--out is missing", hint: "--count N needs --out FILE.") }
        return (try Self.count("--count", count) ?? 1, path)
    }

    private static func count(_ flag: String, _ given: Int64?) throws(UsageError) -> Int? {
        guard let given else { return nil }
        guard (1...TokenBatch.countMax).contains(given) else {
            throw UsageError("\(flag): not a whole number from 1 to \(TokenBatch.countMax)")
        }
        return Int(given)
    }
}
