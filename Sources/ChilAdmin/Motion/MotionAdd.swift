import ChilCore
import ChilMotion
import ChilStore

/// `chiladmin motion add`
struct MotionAdd: SecretCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["motion", "add"],
        summary: "have a tenant's drawings moved by a service",
        examples: [
            .init(
                "chiladmin motion add chillin --url http://10.0.0.6:8000 --allow-private 10.0.0.6:8000",
                "a machine of one's own"
            ),
            .init(
                "chiladmin motion add chillin --url https://motion.example --discloses-to motion-example --form-field motion",
                "a party's: guardians are asked; an earlier version of the service"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .required("--url", "URL", "where it is, without /motion/"),
            .flag("--kind", "KIND", "what it speaks: animated-drawings (default)"),
            .flag("--form-field", "NAME", "what it calls the motion: motionType (default), motion"),
        ] + ImageEndpointDraft.flags,
        remarks: [
            "They are asked in their order until one answers; who fails twice in a row is left alone for a while.",
            "It is not called yet: `chiladmin motion test` does that. More: docs/motion.md.",
        ]
    )

    let tenant: Slug
    let draft: ImageEndpointDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        _ = try words.optional("--kind") as MotionKind?
        let field: MotionForm.Field? = try words.optional("--form-field")
        var draft = try ImageEndpointDraft(&words)
        guard draft.url != nil else {
            throw UsageError("--url is missing", hint: "Say where the service is: --url URL.")
        }
        draft.options = field.map { MotionOptions(field: $0).text }
        self.draft = draft
    }

    var questions: [SecretQuestion] { draft.questions }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ImageEndpointRow> {
        let (row, notes) = try await services.addImageEndpoint(.animatedDrawings, draft, to: tenant)
        return Listing(one: row, notes: notes)
    }
}

/// What moves drawings.
enum MotionKind: String, CaseIterable, ArgumentChoice, Sendable {
    case animatedDrawings = "animated-drawings"
}
