import ChilCore
import ChilStore

/// `chiladmin generator settings`
struct GeneratorSettings: AdminCommand {
    static let effect = Effect.writes
    static let guide = CommandGuide(
        path: ["generator", "settings"],
        summary: "how a tenant's wishes become drawings: recipe, level, words that are not drawn",
        examples: [
            .init("chiladmin generator settings chillin", "what holds"),
            .init("chiladmin generator settings chillin --level easy", "for the youngest: few large areas"),
            .init(
                "chiladmin generator settings chillin --recipe 'A page to colour: {wish}, {level}. White background.'",
                "other words around each wish; '' is the house's own again"
            ),
            .init(
                "chiladmin generator settings chillin --words-file words.txt",
                "the tenant's own words, one a line, all anew"
            ),
        ],
        arguments: [.init(name: "TENANT", summary: "the tenant's slug")],
        flags: [
            .flag("--recipe", "TEXT", "with {wish} in it, and {level} where that shall stand"),
            .flag("--level", "LEVEL", GenerationSettings.Level.expectation),
            .flag("--words-file", "FILE", "words that are not drawn, one a line, beside the house's"),
            .flag("--word", "WORD", repeats: true, "such a word: all that are given are all that hold"),
            .toggle("--no-words", "no words of the tenant's own"),
        ],
        remarks: ["Running services draw the next wish so. The audit says what was changed, and no words."]
    )

    let tenant: Slug
    let draft: GenerationDraft

    init(_ words: inout ArgumentReader) throws(UsageError) {
        tenant = try words.next()
        draft = GenerationDraft(
            recipe: try words.optional("--recipe"),
            level: try words.optional("--level"),
            wordsFile: try words.optional("--words-file"),
            words: try words.all("--word"),
            hasNoWords: words.isSet("--no-words")
        )
        if draft.wordsFile != nil, draft.hasNoWords {
            throw UsageError("--no-words contradicts --words-file", hint: "Give one of them.")
        }
        if !draft.words.isEmpty, draft.wordsFile != nil || draft.hasNoWords {
            throw UsageError("--word contradicts --words-file and --no-words", hint: "Give one of them.")
        }
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<GenerationSettingsRow> {
        Listing(one: try await services.generationSettings(draft, of: tenant))
    }
}

/// What holds for a tenant's wishes.
struct GenerationSettingsRow: ListingRow, Equatable {
    let recipe: String
    let level: String
    let words: [String]

    static let columns: [Column<Self>] = [
        Column("level") { .text($0.level) },
        Column("recipe") { .text($0.recipe) },
        Column("words") { .list($0.words) },
    ]
}
