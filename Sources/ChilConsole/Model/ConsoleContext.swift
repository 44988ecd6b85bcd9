/// A database by the name that its operator gave it, and in the colour that warns of it.
package struct ConsoleContext: Equatable, Sendable {
    package let name: String
    /// One of the terminal's own eight; `nil`: none.
    package let colour: UInt8?

    package init(name: String, colour: UInt8?) {
        self.name = name
        self.colour = colour
    }

    /// A field of its colour in the bar.
    var ink: Ink {
        Ink.reversed.with { ink in
            ink.isBold = true
            if let colour { ink.foreground = .named(colour) }
        }
    }
}
