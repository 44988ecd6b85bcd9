import ChilCore
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

/// A word, or a few, that are not drawn: as it is kept.
struct ForbiddenWord: ArgumentValue, Equatable, Sendable {
    static var expectation: String {
        "a word of 1 to \(BlockList.wordBytesMax) bytes that does not begin with #"
    }

    let text: String

    init?(_ line: String) {
        var word = line.plain
        while word.last == " " { word.removeLast() }
        while word.first == " " { word.removeFirst() }
        guard 1...BlockList.wordBytesMax ~= word.utf8.count, word.utf8.first != UInt8(ascii: "#") else { return nil }
        text = word
    }

    init?(argument: String) { self.init(argument) }
}

/// A change of how a tenant's wishes are drawn. What is `nil` stays.
struct GenerationDraft: Equatable, Sendable {
    /// Empty: the house's own again.
    var recipe: String?
    var level: GenerationSettings.Level?
    /// One word a line.
    var wordsFile: String?
    /// In the place of such a file.
    var words: [ForbiddenWord] = []
    var hasNoWords = false
}
