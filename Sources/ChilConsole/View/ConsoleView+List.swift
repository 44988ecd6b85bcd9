extension ConsoleView {
    mutating func drawList() {
        let columns = ListColumn.all(of: model.place.noun)
        // The first cell is the mark's.
        let laid = ListColumn.laid(columns, in: width - 1)
        let y = layout.headings
        for (index, x, wide) in laid {
            let column = columns[index]
            var title = column.title
            if let order = model.pane.order, order.column == index { title += order.isDescending ? "v" : "^" }
            screen.fit(
                title,
                x + 1,
                y,
                width: wide,
                ink: .bold,
                alignment: column.isTrailing ? .trailing : .leading
            )
            underline(column, title, x + 1, y, wide)
        }
        let rows = model.pane.rows
        for (index, row) in rows.prefix(layout.rows).enumerated() {
            draw(row, laid, columns, at: layout.firstRow + index, isChosen: index == model.pane.chosen)
        }
        if rows.isEmpty, model.pane.page != nil {
            screen.fit(
                model.pane.filter.isEmpty ? "Nothing here." : "Nothing with '\(model.pane.filter)'.",
                1,
                layout.firstRow,
                width: width - 1,
                ink: .dim
            )
        }
    }

    /// The letter that sorts by it.
    private mutating func underline(_ column: ListColumn, _ title: String, _ x: Int, _ y: Int, _ wide: Int) {
        guard title.utf8.count <= wide, let place = title.firstIndex(of: column.letter) else { return }
        let offset =
            title.distance(from: title.startIndex, to: place) + (column.isTrailing ? wide - title.utf8.count : 0)
        screen.put(String(column.letter), 1, x + offset, y, Ink.bold.with { $0.isUnderlined = true })
    }

    private mutating func draw(
        _ row: ConsolePage.Row,
        _ laid: [(index: Int, x: Int, width: Int)],
        _ columns: [ListColumn],
        at y: Int,
        isChosen: Bool
    ) {
        let base = isChosen ? Ink.reversed : .plain
        screen.fill(0, y, width, base)
        let mark = model.pane.marks[row.key] != nil ? markGlyph : isChosen && model.ability.depth == .none ? ">" : " "
        screen.write(mark, 0, y, ink: base)
        for (index, x, wide) in laid where row.values.indices.contains(index) {
            let value = row.values[index]
            if case .bar(let used, let limit, let name) = value {
                // Its name where there is room for all of it.
                let label = CellWidth.of(name) + 12 <= wide ? CellWidth.of(name) : 0
                screen.fit(name, x + 1, y, width: label, ink: isChosen ? base : .dim)
                let gap = label > 0 ? label + 1 : 0
                bar(used, limit, x + 1 + gap, y, width: wide - gap, ink: base)
                continue
            }
            let (text, tone) = ValueText.of(value, at: model.now)
            screen.fit(
                text,
                x + 1,
                y,
                width: wide,
                ink: isChosen ? base : tone.ink,
                alignment: columns[index].isTrailing ? .trailing : .leading
            )
        }
    }
}
