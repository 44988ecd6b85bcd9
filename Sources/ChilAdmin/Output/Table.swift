/// Aligned text: columns as wide as their widest cell, two spaces between, numbers to the right.
struct Table {
    let headings: [String]
    let rows: [[Field]]

    private static let gap = "  "

    func text(style: Style) -> String {
        let cells = rows.map { $0.map(\.cell) }
        let cellWidths = cells.map { $0.map(DisplayWidth.of) }
        var widths = headings.map(DisplayWidth.of)
        for row in cellWidths {
            for (column, width) in row.enumerated() { widths[column] = max(widths[column], width) }
        }
        let rightAligned = headings.indices.map { column in
            rows.contains { $0[column].isNumber } && rows.allSatisfy { $0[column].isNumber || $0[column] == .none }
        }
        func line(_ texts: [String], _ textWidths: [Int]) -> String {
            var line = ""
            for (column, text) in texts.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - textWidths[column])
                let isLast = column == texts.count - 1
                line += rightAligned[column] ? padding + text : text + (isLast ? "" : padding)
                if !isLast { line += Self.gap }
            }
            return line
        }
        let head = style.dim(line(headings, headings.map(DisplayWidth.of))) + "\n"
        return head + zip(cells, cellWidths).map { line($0, $1) + "\n" }.joined()
    }

    /// One thing, a line for each of its values.
    static func record(_ values: [(heading: String, field: Field)], style: Style) -> String {
        let width = values.map { DisplayWidth.of($0.heading) }.max() ?? 0
        return values.map { heading, field in
            let padding = String(repeating: " ", count: width - DisplayWidth.of(heading))
            return style.dim(heading) + padding + gap + field.cell + "\n"
        }.joined()
    }
}
