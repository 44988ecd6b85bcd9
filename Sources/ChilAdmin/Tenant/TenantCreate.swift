import ChilCore

/// `chiladmin tenant create`
struct TenantCreate: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["tenant", "create"],
        summary: "make a tenant and its signing key",
        examples: [
            .init("chiladmin tenant create chillin", "make the tenant whose base is PUBLIC_URL/chillin"),
            .init(
                "chiladmin tenant create atelier --name '아틀리에' --time-zone Asia/Seoul",
                "with a name and a time zone"
            ),
        ],
        arguments: [.init(name: "SLUG", summary: "the first part of its URLs; cannot be changed later")],
        flags: [
            .flag("--name", "NAME", "what people call it (default: the slug)"),
            .toggle("--guest", "serve the first app's five calls without a token, all callers as one guest user"),
            .flag("--time-zone", "ZONE", "IANA name; days and months of its quotas begin there (default: UTC)"),
        ],
        remarks: ["Needs CHIL_KEY_FILE: the signing key is sealed under its highest version."]
    )

    let draft: TenantDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let slug: Slug = try words.next()
        guard let name = try words.optional("--name") ?? DisplayName(argument: slug.description) else {
            throw UsageError("--name is needed: the slug is too long for a name")
        }
        draft = TenantDraft(
            slug: slug,
            name: name,
            isGuestServed: words.isSet("--guest"),
            timeZone: try words.optional("--time-zone") ?? "UTC"
        )
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<TenantRow> {
        let tenant = try await services.createTenant(draft)
        var notes = ["Nobody can sign in before `chiladmin client add \(tenant.slug) --client-id ID`."]
        if draft.isGuestServed {
            notes.append(GuestDraft.warning)
        }
        return Listing(one: tenant, notes: notes)
    }
}
