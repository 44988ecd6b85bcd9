/// Aligned text: columns as wide as their widest cell, two spaces between, numbers to the right.
///
/// On a terminal that is too narrow the widest texts are cut until all fits, but never a number, a time or what one types again:
/// rather is the line too long.
struct Table {
    private let headings: [String]
    private let cells: [[String]]
    private let isRight: [Bool]
    private let mayBeCut: [Bool]
    private let presentation: Presentation

    private static let gap = "  "
    /// A column that is cut keeps so many cells.
    static let cutWidthMin = 8

    init<Row: ListingRow>(columns: [Column<Row>], rows: [Row], _ presentation: Presentation) {
        let fields = rows.map { row in columns.map { $0.value(row) } }
        self.presentation = presentation
        headings = columns.map(\.heading)
        cells = rows.map { row in columns.map { presentation.cell($0, of: row) } }
        isRight = columns.indices.map { column in
            fields.contains { $0[column].isNumber }
                && fields.allSatisfy { $0[column].isNumber || $0[column] == .none }
        }
        mayBeCut = columns.indices.map { column in
            columns[column].mayBeCut && columns[column].key != Row.nameKey
                && !fields.contains { $0[column].isNumber || $0[column].isFlag }
        }
    }

    var text: String {
        let cellWidths = cells.map { $0.map(DisplayWidth.of) }
        var widths = presentation.hasHeadings ? headings.map(DisplayWidth.of) : headings.map { _ in 0 }
        for row in cellWidths {
            for (column, width) in row.enumerated() { widths[column] = max(widths[column], width) }
        }
        if let width = presentation.width { fit(&widths, into: width) }
        func line(_ texts: [String], _ textWidths: [Int]) -> String {
            var line = ""
            for (column, text) in texts.enumerated() {
                let isCut = textWidths[column] > widths[column]
                let shown = isCut ? DisplayWidth.cut(text, to: widths[column]) : text
                let room = widths[column] - (isCut ? DisplayWidth.of(shown) : textWidths[column])
                let padding = String(repeating: " ", count: max(0, room))
                let isLast = column == texts.count - 1
                line += isRight[column] ? padding + shown : shown + (isLast ? "" : padding)
                if !isLast { line += Self.gap }
            }
            return line
        }
        let head =
            presentation.hasHeadings
            ? presentation.style.dim(line(headings, headings.map(DisplayWidth.of))) + "\n" : ""
        return head + zip(cells, cellWidths).map { line($0, $1) + "\n" }.joined()
    }

    /// Takes from the widest of those that may be cut, down to the next widest, until all fits.
    private func fit(_ widths: inout [Int], into room: Int) {
        let gaps = Self.gap.utf8.count * max(0, widths.count - 1)
        let floors = headings.map { max(Self.cutWidthMin, presentation.hasHeadings ? DisplayWidth.of($0) : 0) }
        while true {
            let excess = widths.reduce(gaps, +) - room
            guard excess > 0 else { return }
            let able = widths.indices.filter { mayBeCut[$0] && widths[$0] > floors[$0] }
            guard let widest = able.max(by: { widths[$0] < widths[$1] }) else { return }
            let next = able.filter { $0 != widest }.map { widths[$0] }.max() ?? 0
            let step = max(1, min(excess, widths[widest] - next))
            widths[widest] = max(floors[widest], widths[widest] - step)
        }
    }

    /// One thing, a line for each of its values; where a terminal has no room for a list, a line for each of its texts.
    static func record<Row: ListingRow>(_ row: Row, _ columns: [Column<Row>], _ presentation: Presentation) -> String {
        let width = columns.map { DisplayWidth.of($0.heading) }.max() ?? 0
        return columns.map { column in
            let cell = presentation.cell(column, of: row)
            guard presentation.hasHeadings else { return cell + "\n" }
            let padding = String(repeating: " ", count: width - DisplayWidth.of(column.heading))
            let head = presentation.style.dim(column.heading) + padding + gap
            let indentation = String(repeating: " ", count: width) + gap
            return head
                + lines(column.value(row), cell, width + gap.utf8.count, presentation)
                .joined(separator: "\n" + indentation) + "\n"
        }.joined()
    }

    private static func lines(_ field: Field, _ cell: String, _ used: Int, _ presentation: Presentation) -> [String] {
        guard let width = presentation.width, case .list(let texts) = field, texts.count > 1,
            used + DisplayWidth.of(cell) > width
        else { return [cell] }
        return texts.map(CleanText.clean)
    }
}
