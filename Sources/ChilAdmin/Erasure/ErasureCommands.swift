import ChilCore

/// `chiladmin erasure open`
struct ErasureOpen: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["erasure", "open"],
        summary: "write down that a guardian asks for a child's data to be erased",
        examples: [
            .init("chiladmin erasure open chillin 391234567890123 --reference letter-17", "it is due in ten days")
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "USER", summary: "the child's number"),
        ],
        flags: [.flag("--reference", "TEXT", "your own, at most 400 bytes; wiped when the request is over")],
        remarks: [
            "Ten days to make sure who asks, and to answer (PIPA Enforcement Decree Art. 43(3)). Nothing is erased yet: `erasure done` does it.",
            "A person who is signed in needs none of this: `DELETE me` erases at once.",
        ]
    )

    let tenant: Slug
    let user: UserNumber
    let reference: Remark?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        user = try words.next()
        reference = try words.optional("--reference")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ErasureRow> {
        Listing(one: try await services.openErasure(of: user, in: tenant, reference: reference))
    }
}

/// `chiladmin erasure list`
struct ErasureList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["erasure", "list"],
        summary: "requests for erasure, the one that is due first before the others",
        examples: [
            .init("chiladmin erasure list chillin", "exit status 1 when one is overdue: for a job that watches"),
            .init("chiladmin erasure list chillin --all", "those that are over too"),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [.toggle("--all", "also those that are done or refused, while they are kept")],
        remarks: [
            "Of an overdue one the audit says `erasure.overdue` too, within the hour, and the log of a running service."
        ]
    )

    let tenant: Slug
    let includesClosed: Bool

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        includesClosed = words.isSet("--all")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ErasureRow> {
        let rows = try await services.erasures(of: tenant, includingClosed: includesClosed)
        let late = rows.filter(\.isOverdue)
        return Listing(
            rows,
            notes: late.isEmpty
                ? []
                : [
                    "Overdue: \(late.map { String($0.id) }.joined(separator: ", ")). Answer them: erasure done, erasure refuse."
                ],
            status: late.isEmpty ? .success : .failed
        )
    }
}

/// `chiladmin erasure done`
struct ErasureDone: SevereCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["erasure", "done"],
        summary: "do what a request asks for: delete the account and all that is theirs",
        examples: [
            .init("chiladmin erasure done chillin 401234567890123 --confirm=chillin", "the receipt is for the guardian")
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "REQUEST", summary: "the request's number"),
        ],
        flags: [.confirm("SLUG")],
        remarks: [
            "The same as `user delete`, CHIL_KEY_FILE included. Where the account has ended meanwhile, the request is done without one, and there is no receipt."
        ]
    )

    let tenant: Slug
    let request: ErasureNumber
    let confirmed: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        request = try words.next()
        confirmed = try words.optional("--confirm")
    }

    var word: String? { tenant.description }

    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct {
        try await services.weigh(.erasure(request, tenant))
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ErasureRow> {
        let row = try await services.doErasure(request, of: tenant)
        return Listing(one: row, notes: [row.receipt == nil ? "There was no account any more." : "Deleted."])
    }
}

/// `chiladmin erasure refuse`
struct ErasureRefuse: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["erasure", "refuse"],
        summary: "close a request without erasing anything, for a reason that the guardian is told",
        examples: [
            .init(
                "chiladmin erasure refuse chillin 401234567890123 --reason 'who asked is not the guardian'",
                "nothing is erased"
            )
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "REQUEST", summary: "the request's number"),
        ],
        flags: [.required("--reason", "TEXT", "why; no word of the person, at most 400 bytes")]
    )

    let tenant: Slug
    let request: ErasureNumber
    let reason: Remark

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        request = try words.next()
        reason = try words.required("--reason")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ErasureRow> {
        Listing(one: try await services.refuseErasure(request, of: tenant, because: reason))
    }
}
