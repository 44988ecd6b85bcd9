import ChilCore

/// `chiladmin generator add`
struct GeneratorAdd: SecretCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["generator", "add"],
        summary: "have a tenant's wishes drawn by a service",
        examples: [
            .init(
                "chiladmin generator add chillin --kind sketchbook",
                "the built-in one: no network, no key, always safe"
            ),
            .init(
                "chiladmin generator add chillin --kind openai --model gpt-image-1 --key-file openai.key",
                "OpenAI; guardians are asked where the tenant asks for disclose:openai"
            ),
            .init(
                "chiladmin generator add chillin --kind automatic1111 --url http://10.0.0.5:7860 --allow-private 10.0.0.5:7860",
                "a machine of one's own"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .required("--kind", "KIND", "what it speaks: " + GeneratorKind.expectation),
            .flag("--url", "URL", "where it is: with /v1 for openai, localai and sdcpp; openai has its own"),
            .flag("--model", "NAME", "which of its models"),
            .flag(
                "--options",
                "JSON",
                "size, quality, responseFormat, background, moderation, steps, guidance, sampler"
            ),
        ] + ImageEndpointDraft.flags,
        remarks: [
            "They are asked in their order until one draws; who fails twice in a row is left alone for a while.",
            "It is not called yet: `chiladmin generator test` does that. More: docs/generation.md.",
        ]
    )

    let tenant: Slug
    let kind: GeneratorKind
    let draft: ImageEndpointDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        kind = try words.required("--kind")
        var draft = try ImageEndpointDraft(&words)
        draft.model = try words.optional("--model")
        draft.options = try words.optional("--options")
        self.draft = draft
    }

    var questions: [SecretQuestion] { draft.questions }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ImageEndpointRow> {
        let (row, notes) = try await services.addImageEndpoint(kind.kind, draft, to: tenant)
        return Listing(one: row, notes: notes)
    }
}
