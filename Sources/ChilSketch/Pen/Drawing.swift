/// What a pen left: vectors, in the order of painting.
struct Drawing: Sendable {
    enum Tone: UInt8, Sendable {
        case black = 0
        case white = 255
    }

    /// How wide a stroke is: so many units of the drawing plus so many widths of the page's pen, which does not
    /// grow with the drawing; fewer than none leave room for an outline.
    struct Width: Equatable, Sendable {
        var units = 0.0
        var pens = 0.0
    }

    enum Mark: Sendable {
        case fill(Path, Tone)
        case stroke(Path, Width, Tone)
        /// What follows shows inside of the path only, up to `unclip`.
        case clip(Path)
        case unclip
    }

    var marks: [Mark] = []
    var bounds = Bounds()
}
