import Testing

@testable import ChilAdmin

/// What is asked of every output, whatever names are in it.
enum OutputCheck {
    /// The first scalar that a terminal would obey; CSV has line feeds and tabs in its values, and CR LF behind its lines.
    static func unsafe(in text: String, _ format: OutputFormat) -> UInt32? {
        text.unicodeScalars.first { scalar in
            let isUsual = scalar == "\n" || format == .csv && (scalar == "\r" || scalar == "\t")
            return !isUsual && CleanText.isUnsafe(scalar)
        }?.value
    }

    /// Every column begins, or ends, in the same cell of each line as its heading.
    static func isAligned(_ table: String, _ place: String) {
        let lines = table.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        // Behind the headings a `…` says that there are more columns.
        guard let heading = lines.first.map({ $0.hasSuffix("  …") ? String($0.dropLast(3)) : $0 }) else { return }
        let columns = spans(of: heading)
        for line in lines.dropFirst() {
            let blanks = blankCells(of: line)
            for (number, column) in columns.enumerated() where number > 0 {
                // Left columns: two blanks, then a text. Right ones: a number, then two blanks or the end.
                let begins =
                    blanks.has(column.lowerBound - 2) && blanks.has(column.lowerBound - 1)
                    && blanks.isBorder(column.lowerBound)
                let ends =
                    blanks.isBorder(column.upperBound)
                    && (blanks.width == column.upperBound
                        || blanks.has(column.upperBound) && blanks.has(column.upperBound + 1))
                #expect(begins || ends, "\(place): \(column) of \(line.debugDescription)")
            }
        }
    }

    /// Where headings stand, which have single spaces inside.
    private static func spans(of heading: String) -> [Range<Int>] {
        var spans: [Range<Int>] = []
        let bytes = Array(heading.utf8)
        var begin: Int?
        for index in 0...bytes.count {
            let isGap =
                index == bytes.count || bytes[index] == 0x20 && (index + 1 == bytes.count || bytes[index + 1] == 0x20)
            if isGap, let from = begin {
                spans.append(from..<index)
                begin = nil
            } else if !isGap, begin == nil, bytes[index] != 0x20 {
                begin = index
            }
        }
        return spans
    }

    private struct Cells {
        var blanks: Set<Int> = []
        var borders: Set<Int> = [0]
        var width = 0

        func has(_ cell: Int) -> Bool { blanks.contains(cell) }
        func isBorder(_ cell: Int) -> Bool { borders.contains(cell) }
    }

    private static func blankCells(of line: String) -> Cells {
        var cells = Cells()
        for cluster in line {
            // A mark at a name's beginning is drawn into the blank before it.
            if cluster.unicodeScalars.first == " " { cells.blanks.insert(cells.width) }
            cells.width += DisplayWidth.of(String(cluster))
            cells.borders.insert(cells.width)
        }
        return cells
    }

    /// RFC 4180.
    static func csv(_ text: String) -> [[String]] {
        var rows: [[String]] = []
        var (row, value): ([String], String.UnicodeScalarView) = ([], String.UnicodeScalarView())
        var isQuoted = false
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"" where isQuoted && scalars.first == "\"":
                scalars.removeFirst()
                value.append("\"")
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.append(String(value))
                value = String.UnicodeScalarView()
            case "\r" where !isQuoted && scalars.first == "\n":
                scalars.removeFirst()
                row.append(String(value))
                value = String.UnicodeScalarView()
                rows.append(row)
                row = []
            default: value.append(scalar)
            }
        }
        return rows
    }
}
