import ChilCore

/// Draws the model. Nothing here is remembered.
struct ConsoleView {
    let model: ConsoleModel
    var screen: Screen
    let layout: ConsoleLayout
    private let glyphs: Glyphs

    /// Lines of boxes and bars.
    struct Glyphs {
        let vertical, horizontal, topLeft, topRight, bottomLeft, bottomRight, full, empty, crumb, mark: String

        static let fine = Glyphs(
            vertical: "│",
            horizontal: "─",
            topLeft: "┌",
            topRight: "┐",
            bottomLeft: "└",
            bottomRight: "┘",
            full: "█",
            empty: "░",
            crumb: " › ",
            mark: "●"
        )
        static let plain = Glyphs(
            vertical: "|",
            horizontal: "-",
            topLeft: "+",
            topRight: "+",
            bottomLeft: "+",
            bottomRight: "+",
            full: "#",
            empty: ".",
            crumb: " > ",
            mark: "*"
        )
    }

    init(_ model: ConsoleModel) {
        self.model = model
        screen = Screen(model.size, isASCII: !model.ability.isUTF8)
        layout = ConsoleLayout(model.size, model.place.noun)
        glyphs = model.ability.isUTF8 ? .fine : .plain
    }

    var width: Int { screen.size.width }

    mutating func draw() {
        guard !layout.isTooSmall else {
            screen.write("Too small: \(ConsoleLayout.widthMin) by \(ConsoleLayout.heightMin) cells at least.", 0, 0)
            return
        }
        drawTitle()
        switch model.overlay {
        case .none:
            if layout.summary > 0 { drawSummary() }
            drawList()
        case .help(let top):
            drawLines(HelpText.lines(isReadOnly: model.settings.isReadOnly), "keys", top, isCode: false)
        case .detail(_, let title, let lines, let isJSON, let top):
            drawLines(lines ?? [DetailLine("", "…")], title, top, isCode: isJSON)
        case .picture(_, let title, let picture, let isKnown): drawPicture(title, picture, isKnown)
        }
        drawMessage()
        drawFoot()
        if let dialog = model.dialog { draw(dialog) }
    }

    private mutating func drawTitle() {
        let bar = Ink.reversed
        screen.fill(0, 0, width, bar)
        let clock = Self.clock(model.now)
        var right = "\(clock) UTC "
        if model.settings.isReadOnly { right = "READ-ONLY  " + right }
        let rightWidth = CellWidth.of(right)
        var crumbs: [String] = []
        var before: Place?
        for pane in model.panes {
            crumbs.append(pane.place.crumb(behind: before))
            before = pane.place
        }
        var left = " \(model.settings.label)"
        for crumb in crumbs { left += glyphs.crumb + SafeText.clean(crumb) }
        var room = max(0, width - rightWidth - 1)
        var start = 0
        // Before all else: where one is.
        if let context = model.settings.context {
            let name = " \(context.name) "
            start = min(CellWidth.of(name), room / 2)
            screen.fit(name, 0, 0, width: start, ink: context.ink)
            room -= start
        }
        // The end of the way is what matters.
        while CellWidth.of(left) > room, crumbs.count > 1 {
            crumbs.removeFirst()
            left = " …" + crumbs.map { glyphs.crumb + SafeText.clean($0) }.joined()
        }
        screen.fit(left, start, 0, width: room, ink: bar.with { $0.isBold = true })
        screen.write(right, width - rightWidth, 0, ink: bar)
    }

    static func clock(_ moment: Timestamp) -> String {
        let text = moment.description
        return String(text.dropFirst(11).prefix(8))
    }

    private mutating func drawMessage() {
        let y = layout.message
        if let prompt = model.prompt {
            let candidates = prompt.candidates
            let text = prompt.kind == .filter ? "only rows with this text" : candidates.joined(separator: "  ")
            screen.fit(text, 0, y, width: width, ink: .dim)
        } else if let away = model.away {
            let since = ValueText.age(of: away.since, at: model.now)
            let text = "Not answered for \(since): \(away.text) Next try in \(model.secondsToNextTry)s."
            screen.fit(text, 0, y, width: width, ink: .alarm)
        } else if let notice = model.notice {
            screen.fit(notice.text, 0, y, width: width, ink: notice.tone.ink)
        } else if case .none = model.overlay {
            screen.fit(standing, 0, y, width: width, ink: .dim)
        }
    }

    /// Where one is in the list.
    private var standing: String {
        let pane = model.pane
        guard let page = pane.page else { return "asking…" }
        var parts = ["page \(pane.pageNumber)\(page.next == nil ? ", the last" : "")", "\(page.rows.count) rows"]
        if !pane.marks.isEmpty { parts.append("\(pane.marks.count) marked") }
        if !pane.filter.isEmpty { parts.append("only '\(pane.filter)'") }
        if pane.order != nil { parts.append("this page sorted") }
        if let note = page.note { parts.append(note) }
        if let at = pane.at, model.now.seconds - at.seconds > 3 {
            parts.append("\(ValueText.age(of: at, at: model.now)) old")
        }
        return parts.joined(separator: ", ")
    }

    private mutating func drawFoot() {
        let y = layout.hints
        if let prompt = model.prompt {
            let mark = prompt.kind == .command ? ":" : "/"
            screen.write(mark, 0, y, ink: .bold)
            let before = CellWidth.of(prompt.editor.before)
            // What does not fit goes out on the left.
            var shown = Substring(prompt.editor.text)
            var gone = 0
            while before - gone > width - 3, let first = shown.first {
                gone += CellWidth.of(cluster: first)
                shown = shown.dropFirst()
            }
            screen.write(String(shown), 1, y)
            screen.cursor = (min(width - 1, 1 + before - gone), y)
            return
        }
        var x = 0
        for (key, word) in hints {
            let wide = CellWidth.of(key) + CellWidth.of(word) + 3
            guard x + wide <= width + 2 else { break }
            x += screen.write(key, x, y, ink: .title)
            x += screen.write(" " + word + "  ", x, y, ink: .dim)
        }
    }

    private var hints: [(String, String)] {
        guard case .none = model.overlay else { return [("Esc", "back"), ("up down", "scroll")] }
        var hints = [("?", "keys"), (":", "go"), ("/", "filter"), ("Enter", "into"), ("d", "describe")]
        if !model.settings.isReadOnly {
            hints += Act.all(of: model.place.noun).map { ($0.key.label, $0.word) }
        }
        return hints + [("y", "JSON"), ("Esc", "back"), ("q", "quit")]
    }

    // MARK: Parts

    mutating func frame(_ x: Int, _ y: Int, _ wide: Int, _ high: Int, title: String, ink: Ink) {
        for row in y..<y + high { screen.fill(x, row, wide, .plain) }
        let line = String(repeating: glyphs.horizontal, count: max(0, wide - 2))
        screen.write(glyphs.topLeft + line + glyphs.topRight, x, y, ink: ink)
        screen.write(glyphs.bottomLeft + line + glyphs.bottomRight, x, y + high - 1, ink: ink)
        for row in y + 1..<y + high - 1 {
            screen.write(glyphs.vertical, x, row, ink: ink)
            screen.write(glyphs.vertical, x + wide - 1, row, ink: ink)
        }
        screen.write(" \(title) ", x + 2, y, width: wide - 4, ink: ink.with { $0.isBold = true })
    }

    /// A bar of `wide` cells, and how much it is in words: never the colour alone.
    mutating func bar(_ used: Int64, _ limit: Int64, _ x: Int, _ y: Int, width wide: Int, ink: Ink) {
        let words = ValueText.percent(used, limit)
        let cells = max(0, wide - 6)
        let share = limit <= 0 ? 1 : min(1, max(0, Double(used) / Double(limit)))
        let filled = used > 0 && cells > 0 ? max(1, Int(share * Double(cells) + 0.5)) : 0
        let tone = ValueText.tone(used, limit).ink
        let full = ink.isReversed ? ink : tone
        screen.write(String(repeating: glyphs.full, count: min(cells, filled)), x, y, ink: full)
        screen.write(
            String(repeating: glyphs.empty, count: max(0, cells - filled)),
            x + filled,
            y,
            ink: ink.isReversed ? ink : .dim
        )
        screen.fit(words, x + cells + 1, y, width: max(0, wide - cells - 1), ink: ink.isReversed ? ink : tone)
    }

    var markGlyph: String { glyphs.mark }
}

extension ConsoleModel {
    /// What the terminal is to show.
    package var screen: Screen {
        var view = ConsoleView(self)
        view.draw()
        return view.screen
    }
}
