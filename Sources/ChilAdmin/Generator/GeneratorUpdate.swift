import ChilCore
import ChilStore

/// `chiladmin generator update`
struct GeneratorUpdate: SecretCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["generator", "update"],
        summary: "change a service: its key, model, place, or whether it is asked",
        examples: [
            .init("chiladmin generator update chillin 391234567890123 --key-file new.key", "a new key, at once"),
            .init(
                "chiladmin generator update chillin 391234567890123 --state disabled",
                "not asked until it is enabled"
            ),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "SERVICE", summary: "the service's number"),
        ],
        flags: [
            .flag("--url", "URL", "where it is"),
            .flag("--model", "NAME", "which of its models"),
            .flag("--options", "JSON", "all of them anew: what is left out is the kind's usual"),
            .flag("--state", "STATE", "enabled or disabled"),
        ] + ImageEndpointDraft.flags,
        remarks: ["What is not said stays. A changed service is asked again at once, however it failed before."]
    )

    let tenant: Slug
    let number: ImageEndpointNumber
    let draft: ImageEndpointDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        number = try words.next()
        var draft = try ImageEndpointDraft(&words)
        draft.model = try words.optional("--model")
        draft.options = try words.optional("--options")
        draft.state = try words.optional("--state")
        guard draft != ImageEndpointDraft() else {
            throw UsageError(
                "what shall change is missing",
                hint: "Give some of --url, --key-file, --model, --options, --state, --position, --timeout."
            )
        }
        self.draft = draft
    }

    var questions: [SecretQuestion] { draft.questions }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ImageEndpointRow> {
        Listing(one: try await services.changeImageEndpoint(number, for: .generation, of: tenant, draft))
    }
}
