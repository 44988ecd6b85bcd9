import ChilCore
import ChilMotion
import ChilStore

/// `chiladmin motion update`
struct MotionUpdate: SecretCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["motion", "update"],
        summary: "change a service that moves drawings: its key, place, or whether it is asked",
        examples: [
            .init("chiladmin motion update chillin 391234567890123 --timeout 3m", "for long motions"),
            .init("chiladmin motion update chillin 391234567890123 --state disabled", "not asked until it is enabled"),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "SERVICE", summary: "the service's number"),
        ],
        flags: [
            .flag("--url", "URL", "where it is, without /motion/"),
            .flag("--form-field", "NAME", "what it calls the motion: motionType, motion"),
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
        let field: MotionForm.Field? = try words.optional("--form-field")
        var draft = try ImageEndpointDraft(&words)
        draft.options = field.map { MotionOptions(field: $0).text }
        draft.state = try words.optional("--state")
        guard draft != ImageEndpointDraft() else {
            throw UsageError(
                "what shall change is missing",
                hint: "Give some of --url, --form-field, --key-file, --state, --position, --timeout."
            )
        }
        self.draft = draft
    }

    var questions: [SecretQuestion] { draft.questions }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ImageEndpointRow> {
        Listing(one: try await services.changeImageEndpoint(number, for: .motion, of: tenant, draft))
    }
}
