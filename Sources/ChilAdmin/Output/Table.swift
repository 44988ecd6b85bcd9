/// Aligned text: columns as wide as their widest cell, two spaces between, numbers to the right.
///
/// On a terminal that is too narrow the widest texts are cut until all fits, but never a number, a time or what one types again: rather is
/// the last column left out, and a `…` behind the headings says so. `-o wide` has them all, and lines that are too long. Advice in the last
/// column stands below its row then, whole.
struct Table {
    private let headings: [String]
    private let cells: [[String]]
    private let isRight: [Bool]
    private let mayBeCut: [Bool]
    private let endsWithAdvice: Bool
    private let presentation: Presentation

    private static let gap = "  "
    private static let more = "…"
    /// A column that is cut keeps so many cells.
    static let cutWidthMin = 8

    /// Each value is asked for once: there may be tens of thousands of rows.
    init<Row: ListingRow>(columns: [Column<Row>], rows: [Row], _ presentation: Presentation) {
        self.presentation = presentation
        headings = columns.map(\.heading)
        var cells: [[String]] = []
        cells.reserveCapacity(rows.count)
        var kinds = columns.map { _ in ColumnKinds() }
        for row in rows {
            var line: [String] = []
            line.reserveCapacity(columns.count)
            for column in 0..<columns.count {
                let field = columns[column].value(row)
                kinds[column].add(field)
                line.append(presentation.cell(columns[column], field))
            }
            cells.append(line)
        }
        self.cells = cells
        endsWithAdvice = columns.last?.isAdvice == true
        isRight = kinds.map { $0.hasNumber && !$0.hasFlag && !$0.hasText }
        mayBeCut = zip(columns, kinds).map { column, kinds in
            column.mayBeCut && column.key != Row.nameKey && !kinds.hasNumber && !kinds.hasFlag
        }
    }

    /// What values a column has.
    private struct ColumnKinds {
        var hasNumber = false
        var hasFlag = false
        var hasText = false

        mutating func add(_ field: Field) {
            switch field {
            case .number: hasNumber = true
            case .flag: hasFlag = true
            case .text, .list: hasText = true
            case .none: break
            }
        }
    }

    var text: String {
        let cellWidths = cells.map { $0.map(DisplayWidth.of) }
        var widths = presentation.hasHeadings ? headings.map(DisplayWidth.of) : headings.map { _ in 0 }
        for row in cellWidths {
            for column in 0..<row.count where row[column] > widths[column] { widths[column] = row[column] }
        }
        var hangs = false
        if let width = presentation.width {
            hangs = endsWithAdvice && widths.reduce(gaps(widths), +) > width
            if hangs { widths.removeLast() }
            fit(&widths, into: width)
        }
        let isWhole = leaveOut(&widths)
        let count = widths.count
        let blank = String(repeating: " ", count: widths.max() ?? 0)
        var text = ""
        if presentation.hasHeadings {
            var head = ""
            write(headings[..<count], headings.map(DisplayWidth.of), widths, blank, to: &head)
            text = presentation.style.dim(isWhole ? head : head + Self.gap + Self.more) + "\n"
        }
        for row in 0..<cells.count {
            write(cells[row][..<count], cellWidths[row], widths, blank, to: &text)
            text += "\n"
            if hangs, let advice = cells[row].last, advice != Field.none.cell { text += Self.gap + advice + "\n" }
        }
        return text
    }

    private func write(
        _ texts: ArraySlice<String>,
        _ textWidths: [Int],
        _ widths: [Int],
        _ blank: String,
        to line: inout String
    ) {
        for column in 0..<texts.count {
            let isCut = textWidths[column] > widths[column]
            let shown = isCut ? DisplayWidth.cut(texts[column], to: widths[column]) : texts[column]
            let room = widths[column] - (isCut ? DisplayWidth.of(shown) : textWidths[column])
            let isLast = column == texts.count - 1
            if isRight[column], room > 0 { line += blank.prefix(room) }
            line += shown
            if isLast { return }
            if !isRight[column], room > 0 { line += blank.prefix(room) }
            line += Self.gap
        }
    }

    /// Columns from the right, until the rest fits; never the first. True: none had to go.
    private func leaveOut(_ widths: inout [Int]) -> Bool {
        guard let width = presentation.width, presentation.format != .wide, presentation.fields.isEmpty else {
            return true
        }
        guard widths.reduce(gaps(widths), +) > width else { return true }
        let room = width - Self.gap.utf8.count - 1
        while widths.count > 1, widths.reduce(gaps(widths), +) > room { widths.removeLast() }
        return false
    }

    private func gaps(_ widths: [Int]) -> Int { Self.gap.utf8.count * max(0, widths.count - 1) }

    /// Takes from the widest of those that may be cut, down to the next widest, until all fits.
    private func fit(_ widths: inout [Int], into room: Int) {
        let gaps = self.gaps(widths)
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
