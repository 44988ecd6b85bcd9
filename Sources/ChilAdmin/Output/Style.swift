/// Whether text may be coloured. Colour never carries the meaning alone.
struct Style: Equatable, Sendable {
    let isColoured: Bool

    static let plain = Style(isColoured: false)

    func dim(_ text: String) -> String { wrap(text, "2") }
    func bold(_ text: String) -> String { wrap(text, "1") }
    func alarm(_ text: String) -> String { wrap(text, "31") }

    func painted(_ text: String, _ colour: TerminalColour) -> String {
        colour == .none ? text : wrap(text, "1;\(colour.code)")
    }

    /// Select Graphic Rendition (ECMA-48 §8.3.117).
    private func wrap(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

extension Style {
    /// <https://no-color.org> and <https://bixense.com/clicolors>: no colour goes before forced colour, forced colour before what the
    /// terminal is.
    init(environment: Environment, onTerminal: Bool, noColour: Bool) {
        if noColour || environment["NO_COLOR"] != nil {
            isColoured = false
        } else if let forced = environment["CLICOLOR_FORCE"], forced != "0" {
            isColoured = true
        } else {
            isColoured = onTerminal && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
        }
    }
}

/// The colours that every terminal has.
enum TerminalColour: String, ArgumentChoice, CaseIterable {
    case none, red, green, yellow, blue, magenta, cyan

    var code: Int {
        switch self {
        case .none: 39
        case .red: 31
        case .green: 32
        case .yellow: 33
        case .blue: 34
        case .magenta: 35
        case .cyan: 36
        }
    }
}
