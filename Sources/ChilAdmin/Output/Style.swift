/// Whether text may be coloured. Colour never carries the meaning alone.
struct Style: Equatable, Sendable {
    let isColoured: Bool

    static let plain = Style(isColoured: false)

    func dim(_ text: String) -> String { wrap(text, "2") }
    func bold(_ text: String) -> String { wrap(text, "1") }
    func alarm(_ text: String) -> String { wrap(text, "31") }

    /// Select Graphic Rendition (ECMA-48 §8.3.117).
    private func wrap(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
