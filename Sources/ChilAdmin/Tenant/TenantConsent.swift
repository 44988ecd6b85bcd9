import ChilCore

/// `chiladmin tenant consent`
struct TenantConsent: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["tenant", "consent"],
        summary: "what a tenant asks children's guardians for",
        examples: [
            .init(
                "chiladmin tenant consent chillin --require collect,disclose:epson",
                "no upload or other new picture, and no print at epson's, without it"
            ),
            .init("chiladmin tenant consent chillin --notice 3", "a new notice: everybody is asked anew"),
            .init("chiladmin tenant consent chillin --require none", "ask for nothing, as at first"),
        ],
        arguments: [.init(name: "SLUG", summary: "the tenant")],
        flags: [
            .flag(
                "--require",
                "SCOPES|none",
                "collect (uploads, scans, wishes, motion), disclose:PARTY (prints on its printers, its services); the others end"
            ),
            .flag(
                "--notice",
                "VERSION",
                "the version of the notice in force (1 at first): consent to an older one does not count"
            ),
        ],
        remarks: [
            "Running services hear of it at once. An app that is refused is told the scope and the version: `consent-required`.",
            "A printer is a party's by `chiladmin printer add --discloses-to PARTY`.",
        ]
    )

    let slug: Slug
    let draft: ConsentPolicyDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        slug = try words.next()
        draft = ConsentPolicyDraft(required: try words.optional("--require"), notice: try words.optional("--notice"))
        guard draft != ConsentPolicyDraft(required: nil, notice: nil) else {
            throw UsageError("--require or --notice is missing", hint: "Usage: \(Self.guide.usage)")
        }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantRow> {
        Listing(one: try await services.setConsent(draft, of: slug))
    }
}
