import ChilGenerator
import ChilStore

/// What draws wishes.
enum GeneratorKind: String, CaseIterable, ArgumentChoice, Sendable {
    case openai, localai, sdcpp, automatic1111, sketchbook

    var kind: ImageEndpoint.Kind { ImageEndpoint.Kind(rawValue: rawValue) ?? .sketchbook }
}

extension GenerationSettings.Level: ArgumentChoice {}

/// A wish, as a child would make it.
struct WishText: ArgumentValue, Equatable, Sendable {
    static var expectation: String {
        "a wish of 1 to \(CleanWish.bytesMax) bytes, with something in it that can be drawn"
    }

    let text: String

    init?(argument: String) {
        guard argument.utf8.count <= CleanWish.bytesMax, CleanWish(argument) != nil else { return nil }
        text = argument
    }
}

/// A change of how a tenant's wishes are drawn. What is `nil` stays.
struct GenerationDraft: Equatable, Sendable {
    /// Empty: the house's own again.
    var recipe: String?
    var level: GenerationSettings.Level?
    /// One word a line.
    var wordsFile: String?
    var hasNoWords = false
}
