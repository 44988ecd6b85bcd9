/// The words around a wish that make a page to colour of it.
package struct LineArtRecipe: Equatable, Sendable {
    /// For whom.
    package enum Level: String, Sendable, CaseIterable {
        case easy, medium, detailed

        var words: String {
            switch self {
            case .easy: "very thick lines, one large simple shape, fewer than ten areas, for children of 3 to 5 years"
            case .medium: "thick lines, simple shapes, large closed areas, for children of 6 to 8 years"
            case .detailed:
                "clear lines, more detail and patterns, many closed areas, for children of 9 years and older"
            }
        }
    }

    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case noPlace, tooLong

        package var description: String {
            switch self {
            case .noPlace: "the recipe has no {wish}: write it where the wish shall stand"
            case .tooLong: "the recipe is longer than \(LineArtRecipe.bytesMax) bytes: make it shorter"
            }
        }
    }

    package static let bytesMax = 2_000
    /// What no picture shall have, for services that take that apart.
    package static let unwanted =
        "colour, color, shading, grey, gradient, photo, background texture, text, letters, watermark, signature, frame, nsfw, violence, blood, nudity"

    package static let house = """
        Coloring book page for children, black and white line art: {wish}. Bold clean black outlines on a pure white background, {level}. \
        One clear subject in the middle, friendly and cheerful. No shading, no grey, no colour, no text, no frame.
        """

    private let template: String

    package init() {
        template = Self.house
    }

    package init(_ template: String) throws(Fault) {
        guard template.utf8.count <= Self.bytesMax else { throw .tooLong }
        guard template.contains("{wish}") else { throw .noPlace }
        self.template = template
    }

    /// - Parameter scalarsMax: what the service reads; the wish is cut first, the recipe never.
    package func prompt(for wish: CleanWish, _ level: Level, scalarsMax: Int) -> String {
        let frame = template.replacing("{level}", with: level.words)
        let room = scalarsMax - (frame.unicodeScalars.count - "{wish}".unicodeScalars.count)
        var cut = wish.text
        while cut.unicodeScalars.count > max(1, room), !cut.isEmpty { cut.removeLast() }
        // The wish is put in last, so that nothing in it is taken for a place of the recipe's.
        guard let place = frame.firstRange(of: "{wish}") else { return cut }
        return String(frame[..<place.lowerBound]) + cut + String(frame[place.upperBound...])
    }
}
