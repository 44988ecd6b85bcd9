import Glibc

/// Says how far long work is, on standard error: a bar at a terminal, else a line now and then. What is done at once says nothing.
final class Progress {
    /// How it is said.
    struct Style {
        /// Of the terminal, asked each time; `nil`: there is none, or it cannot go back in a line.
        let columns: () -> Int?
        let isUTF8: Bool
        /// Milliseconds of a clock that never goes back.
        let clock: () -> Int64

        static var plain: Style { Style(columns: { nil }, isUTF8: false) }

        init(columns: @escaping () -> Int?, isUTF8: Bool, clock: @escaping () -> Int64 = Style.monotonic) {
            self.columns = columns
            self.isUTF8 = isUTF8
            self.clock = clock
        }

        /// A bar has no colours, so NO_COLOR changes nothing of it; a terminal that is dumb cannot go back.
        init(environment: Environment, columns: @escaping () -> Int?) {
            let isDumb = environment["TERM"] == nil || environment["TERM"] == "dumb"
            let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first ?? ""
            let letters = locale.lowercased().filter { $0.isLetter || $0.isNumber }
            self.init(columns: isDumb ? { nil } : columns, isUTF8: letters.contains("utf8"))
        }

        @Sendable static func monotonic() -> Int64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
        }
    }

    private let what: String
    private let total: Int64?
    private let unit: String
    private let style: Style
    private let talk: (String) -> Void
    private let begun: Int64
    private var next: Int64
    /// Cells of the line that stands there.
    private var shown = 0

    /// A bar appears after so long, and then moves so often.
    static let barAfter: Int64 = 300
    static let barEvery: Int64 = 100
    static let lineEvery: Int64 = 10_000

    init(_ what: String, of total: Int64?, _ unit: String, _ style: Style, talk: @escaping (String) -> Void) {
        (self.what, self.total, self.unit, self.style, self.talk) = (what, total, unit, style, talk)
        begun = style.clock()
        next = begun + (style.columns() == nil ? Self.lineEvery : Self.barAfter)
    }

    /// So much is done.
    func reached(_ done: Int64) {
        let now = style.clock()
        guard now >= next else { return }
        let line = ProgressLine(what: what, done: done, total: total, unit: unit, milliseconds: now - begun)
        guard let columns = style.columns() else {
            next = now + Self.lineEvery
            clear()
            talk(line.plain + "\n")
            return
        }
        next = now + Self.barEvery
        // The last column stays free: some terminals begin a new line behind it.
        let text = line.text(columns: max(0, columns - 1), isUTF8: style.isUTF8)
        let width = DisplayWidth.of(text)
        talk("\r" + text + String(repeating: " ", count: max(0, min(shown, columns - 1) - width)))
        shown = width
    }

    /// Some time has passed.
    func tick() { reached((style.clock() - begun) / 1_000) }

    /// Takes the bar away, so that what is said next has a line of its own. Whatever ends the work calls it.
    func end() {
        clear()
        next = .max
    }

    private func clear() {
        guard shown > 0 else { return }
        talk("\r" + String(repeating: " ", count: shown) + "\r")
        shown = 0
    }
}

extension LiveServices {
    /// - Parameter total: `nil`: nobody knows.
    func progress(_ what: String, of total: Int?, _ unit: String) -> Progress {
        Progress(what, of: total.map(Int64.init), unit, progressStyle, talk: talk)
    }
}
