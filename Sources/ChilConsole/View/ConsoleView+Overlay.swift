extension ConsoleView {
    /// A description, JSON or the keys.
    mutating func drawLines(_ lines: [DetailLine], _ title: String, _ top: Int, isCode: Bool) {
        screen.fit(title, 1, 1, width: width - 1, ink: .title)
        let names = isCode ? 0 : min(26, (lines.map { CellWidth.of($0.name) }.max() ?? 0) + 2)
        let room = layout.message - 2
        for (index, line) in lines.dropFirst(top).prefix(room).enumerated() {
            if names > 0 { screen.fit(line.name, 1, 2 + index, width: names - 1, ink: .dim) }
            screen.fit(line.text, 1 + names, 2 + index, width: width - 1 - names)
        }
        if lines.count > room {
            let last = min(lines.count, top + room)
            screen.fit("\(top + 1)-\(last) of \(lines.count)", 1, layout.message, width: width - 2, ink: .dim)
        }
    }

    mutating func drawPicture(_ title: String, _ picture: Picture?, _ isKnown: Bool) {
        screen.fit(title, 1, 1, width: width - 1, ink: .title)
        guard let picture else {
            screen.fit(isKnown ? "There is no picture of it." : "asking…", 1, 2, width: width - 1, ink: .dim)
            return
        }
        let (columns, rows) = PictureBox(screen.size, model.ability).shape(of: picture)
        switch model.ability.pictures {
        case .letters: letters(picture, columns, rows)
        case .blocks: blocks(picture, columns, rows)
        case .kitty:
            let bytes = TerminalPicture.kitty(picture, columns: columns, rows: rows)
            screen.image = ScreenImage(x: 1, y: 2, columns: columns, rows: rows, bytes: bytes)
        case .sixel:
            let (width, height) = (columns * model.ability.cellWidth, rows * model.ability.cellHeight)
            let bytes = TerminalPicture.sixel(picture, width: width, height: height)
            screen.image = ScreenImage(x: 1, y: 2, columns: columns, rows: rows, bytes: bytes)
        }
    }

    /// Two pixels a cell: the upper one is the letter's colour, the lower one what is behind it.
    private mutating func blocks(_ picture: Picture, _ columns: Int, _ rows: Int) {
        for y in 0..<rows {
            for x in 0..<columns {
                var ink = Ink()
                ink.foreground = .exact(picture.mean(x, y * 2, of: columns, rows * 2))
                ink.background = .exact(picture.mean(x, y * 2 + 1, of: columns, rows * 2))
                screen.put("▀", 1, 1 + x, 2 + y, ink)
            }
        }
    }

    private static let darkness = Array(" .:-=+*#%@").map(String.init)

    /// Ink on paper: what is dark has much of it.
    private mutating func letters(_ picture: Picture, _ columns: Int, _ rows: Int) {
        for y in 0..<rows {
            for x in 0..<columns {
                let dark = 255 - picture.mean(x, y, of: columns, rows).brightness
                screen.put(Self.darkness[dark * Self.darkness.count / 256], 1, 1 + x, 2 + y, .plain)
            }
        }
    }

    /// In the middle, over all else.
    mutating func draw(_ dialog: Dialog) {
        let wide = min(width - 4, 64)
        let names = dialog.names.prefix(4)
        let high = 7 + names.count + (dialog.act.isSevere ? 2 : 0)
        let x = (width - wide) / 2
        let y = max(1, (screen.size.height - high) / 2)
        let ink = dialog.act.isSevere ? Ink.alarm : .title
        frame(x, y, wide, high, title: dialog.act.word, ink: ink)
        var row = y + 1
        func put(_ text: String, _ ink: Ink, _ screen: inout Screen) {
            screen.fit(text, x + 2, row, width: wide - 4, ink: ink)
            row += 1
        }
        for name in names { put(name, .bold, &screen) }
        let more = dialog.names.count - names.count
        put(more > 0 ? "and \(more) more" : "", .dim, &screen)
        put(dialog.act.consequence, .plain, &screen)
        put("", .plain, &screen)
        if dialog.act.isSevere {
            put("Type \(dialog.slug) to go on:", .plain, &screen)
            screen.fit("> " + dialog.editor.text, x + 2, row, width: wide - 4, ink: .bold)
            screen.cursor = (min(x + wide - 3, x + 4 + CellWidth.of(dialog.editor.before)), row)
            row += 1
        }
        put(dialog.complaint ?? "Tab chooses, Enter does it.", dialog.complaint == nil ? .dim : .warning, &screen)
        let cancel = dialog.isOnDo ? "  Cancel  " : "[ Cancel ]"
        let act = dialog.isOnDo ? "[ \(dialog.act.word) ]" : "  \(dialog.act.word)  "
        let at = x + 2 + screen.write(cancel, x + 2, row, ink: dialog.isOnDo ? .plain : .reversed) + 2
        screen.write(act, at, row, ink: dialog.isOnDo ? .reversed : .plain)
    }
}
