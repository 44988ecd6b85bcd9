import ChilCore
import ChilStore

/// `chiladmin user ban`
struct UserBan: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["user", "ban"],
        summary: "sign a person out everywhere and keep them out; nothing is deleted",
        examples: [
            .init("chiladmin user ban chillin 391234567890123", "every token of theirs is dead within a second")
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "USER", summary: "the user's number"),
        ],
        remarks: ["`chiladmin user unban` lets them sign in again; their drawings are still there."]
    )

    let tenant: Slug
    let user: UserNumber

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        user = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<UserDetailRow> {
        Listing(one: try await services.setUser(user, of: tenant, to: .banned))
    }
}

/// `chiladmin user unban`
struct UserUnban: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["user", "unban"],
        summary: "let a banned person sign in again",
        examples: [.init("chiladmin user unban chillin 391234567890123", "they have to sign in anew")],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "USER", summary: "the user's number"),
        ]
    )

    let tenant: Slug
    let user: UserNumber

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        user = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<UserDetailRow> {
        Listing(one: try await services.setUser(user, of: tenant, to: .active))
    }
}
