import ChilCore

/// `chiladmin generator test`
struct GeneratorTest: AdminCommand {
    static let effect = Effect.reachesOut("it has a picture drawn, which may cost money")
    static let guide = CommandGuide(
        path: ["generator", "test"],
        summary: "have a service draw a wish, from this machine, and wait for it",
        examples: [
            .init(
                "chiladmin generator test chillin 391234567890123",
                "exit status 1 when it draws nothing that can be coloured"
            ),
            .init(
                "chiladmin generator test chillin 391234567890123 --wish '달 위의 고양이' --out page.png",
                "and look at it"
            ),
        ],
        arguments: [
            .init(name: "TENANT", summary: "the tenant's slug"),
            .init(name: "SERVICE", summary: "the service's number"),
        ],
        flags: [
            .flag("--wish", "TEXT", "what to draw; else a cat on the moon"),
            .flag("--out", "FILE", "where to put the picture; it must not be there yet"),
        ],
        remarks: [
            "In the tenant's recipe, like any wish; nothing is kept, and no quota is taken. What it costs at the service it costs.",
            "chilapi may stand elsewhere, and reach what this machine does not.",
        ]
    )

    let tenant: Slug
    let number: ImageEndpointNumber
    let wish: WishText?
    let out: String?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        number = try words.next()
        wish = try words.optional("--wish")
        out = try words.optional("--out")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<GeneratorTestRow> {
        let row = try await services.testGenerator(
            number,
            of: tenant,
            wish: wish?.text ?? "a cat on the moon",
            out: out
        )
        return Listing(one: row)
    }
}

/// What came of a test.
struct GeneratorTestRow: ListingRow, Equatable {
    let id: Int64
    let milliseconds: Int64
    let mediaType: String
    let width: Int64
    let height: Int64
    let byteCount: Int64
    let revisedPrompt: String?

    static let columns: [Column<Self>] = [
        Column("id") { .number($0.id) },
        Column("milliseconds") { .number($0.milliseconds) },
        Column("mediaType") { .text($0.mediaType) },
        Column("width") { .number($0.width) },
        Column("height") { .number($0.height) },
        Column("byteCount") { .number($0.byteCount) },
        Column("revisedPrompt", listed: false) { .optional($0.revisedPrompt) },
    ]
}
