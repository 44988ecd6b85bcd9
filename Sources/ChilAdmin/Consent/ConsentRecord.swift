import ChilCore
import ChilStore

/// `chiladmin consent record`
struct ConsentRecord: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["consent", "record"],
        summary: "write down that a child's guardian agrees",
        examples: [
            .init(
                "chiladmin consent record chillin 391234567890123 --scopes collect,disclose:epson --method signed-paper"
                    + " --guardian folder-17 --notice 2",
                "for a guardian who sent a signed form"
            )
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "USER", summary: "the child's number"),
        ],
        flags: [
            .required("--scopes", "SCOPES", "what to: collect, disclose:PARTY, with commas between them"),
            .required("--method", "METHOD", ConsentMethod.allCases.map(\.rawValue).joined(separator: ", ")),
            .required("--guardian", "TEXT", "who: your own reference, at most 128 bytes, never read here"),
            .required("--notice", "VERSION", "the version of the notice that was shown"),
        ],
        remarks: ["The same as `POST consents` by the app. What holds already is not written again."]
    )

    let tenant: Slug
    let user: UserNumber
    let draft: ConsentDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        user = try words.next()
        draft = ConsentDraft(
            scopes: try ConsentWithdraw.scopes(&words),
            isGiven: true,
            guardian: try words.required("--guardian"),
            method: try words.required("--method"),
            notice: try words.required("--notice")
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ConsentRow> {
        let isNew = try await services.say(draft, of: user, in: tenant)
        let rows = try await services.consents(of: user, in: tenant)
        return Listing(rows, notes: [isNew ? "Written down." : "It held already."])
    }
}

/// `chiladmin consent withdraw`
struct ConsentWithdraw: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["consent", "withdraw"],
        summary: "write down that a child's guardian takes consent back",
        examples: [
            .init(
                "chiladmin consent withdraw chillin 391234567890123 --scopes disclose:epson",
                "no page goes there any more"
            )
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "USER", summary: "the child's number"),
        ],
        flags: [
            .required("--scopes", "SCOPES", "what from: collect, disclose:PARTY, with commas between them"),
            .flag("--method", "METHOD", ConsentMethod.allCases.map(\.rawValue).joined(separator: ", ")),
            .flag("--guardian", "TEXT", "who: your own reference, at most 128 bytes, never read here"),
        ],
        remarks: [
            "It holds from the next act on; print jobs that wait for that party are canceled. What was kept stays: see `user delete`."
        ]
    )

    let tenant: Slug
    let user: UserNumber
    let draft: ConsentDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        user = try words.next()
        draft = ConsentDraft(
            scopes: try Self.scopes(&words),
            isGiven: false,
            guardian: try words.optional("--guardian"),
            method: try words.optional("--method"),
            notice: nil
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ConsentRow> {
        let isNew = try await services.say(draft, of: user, in: tenant)
        let rows = try await services.consents(of: user, in: tenant)
        return Listing(rows, notes: [isNew ? "Written down." : "There was no such consent."])
    }

    static func scopes(_ words: inout ArgumentReader) throws(UsageError) -> ConsentScopes {
        let scopes: ConsentScopes = try words.required("--scopes")
        guard !scopes.scopes.isEmpty else { throw UsageError("--scopes: none is no scope") }
        return scopes
    }
}
