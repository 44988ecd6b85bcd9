/// A page of the sketchbook.
package struct Sketch: Equatable, Sendable {
    /// What of the wish was found and drawn.
    package struct Part: Equatable, Sendable {
        /// An English word that stays the same: "cat", "hotAirBalloon".
        package let subject: String
        package let count: Int
    }

    /// How the wish was met.
    package enum Kind: String, Sendable {
        /// What it names was drawn.
        case scene
        /// Nothing in it is known: its words in hollow letters.
        case letters
        /// It has no letters that can be drawn: a picture of the sketchbook's own choice.
        case surprise
    }

    /// Greyscale, eight bits a pixel, black lines on white.
    package let png: [UInt8]
    package let size: SketchSize
    package let kind: Kind
    package let parts: [Part]
    /// In the wish's language: what is to be seen.
    package let title: String
}

/// Why there is no page.
package enum SketchFault: Error, Equatable, Sendable, CustomStringConvertible {
    case noMemory

    package var description: String {
        "sketchbook: no memory to pack the page: give the service more, or draw fewer pages at once"
    }
}
