/// Reads job marks off a scanned page, however it lay on the glass. What is read is a hint and no more: anybody can print such a code.
///
/// Work is bounded whatever the picture is: its pixels are passed three times, at most `MarkFinder.looksMax` places are looked at, and at
/// most `triesMax` squares of 25 × 25 modules are read.
package enum MarkReader {
    /// More pages than one may lie on the glass.
    package static let marksMax = 4
    static let triesMax = 96
    /// From the middle of a corner to that of the next, in modules.
    private static let span = Double(QRCode.Reading.version.side - 7)
    /// Ink and paper, and what is between them where something was painted over.
    private static let shares = [0.5, 0.35, 0.65, 0.22, 0.78]
    private static let contrastMin = 30.0
    /// Of modules that are the same in every mark.
    private static let wrongShareMax = 0.25

    package static func texts(in picture: MarkPicture) -> [String] {
        var corners = MarkFinder.corners(in: picture)
        var texts: [String] = []
        var triesLeft = triesMax
        while texts.count < marksMax, triesLeft > 0 {
            var used: [Int] = []
            for square in squares(of: corners).prefix(triesLeft) {
                triesLeft -= 1
                guard let text = text(in: square, of: picture) else { continue }
                if !texts.contains(text) { texts.append(text) }
                used = square.corners
                break
            }
            if used.isEmpty { break }
            corners = corners.enumerated().filter { !used.contains($0.offset) }.map(\.element)
        }
        return texts
    }

    private struct Square {
        let corners: [Int]
        let x, y: Double
        /// Of a module to the right, and of one down.
        let right, down: (x: Double, y: Double)
        let fault: Double
    }

    /// Three corners each, with a right angle at the first, the likeliest before the others.
    private static func squares(of corners: [MarkFinder.Corner]) -> [Square] {
        var squares: [Square] = []
        for first in corners.indices {
            for second in corners.indices where second != first {
                for third in corners.indices where third != first && third != second {
                    let (top, right, down) = (corners[first], corners[second], corners[third])
                    let across = (x: right.x - top.x, y: right.y - top.y),
                        along = (x: down.x - top.x, y: down.y - top.y)
                    // Seen from the other side it would be a mirror's.
                    let area = across.x * along.y - across.y * along.x
                    guard area > 0 else { continue }
                    let width = (across.x * across.x + across.y * across.y).squareRoot()
                    let height = (along.x * along.x + along.y * along.y).squareRoot()
                    let modules = [top.module, right.module, down.module]
                    let (least, most) = (modules.min() ?? 0, modules.max() ?? 0)
                    let uneven = abs(width - height) / max(width, height)
                    let crooked = abs(across.x * along.x + across.y * along.y) / (width * height)
                    let module = (width + height) / 2 / span
                    // Along the rows a module is up to √2 of its side.
                    let far = max(0, module - least) + max(0, most - module * 1.4143)
                    guard uneven < 0.15, crooked < 0.15, most < 1.6 * least, far < 0.35 * module else { continue }
                    squares.append(
                        Square(
                            corners: [first, second, third],
                            x: top.x,
                            y: top.y,
                            right: (across.x / span, across.y / span),
                            down: (along.x / span, along.y / span),
                            fault: uneven + crooked + far / module + (most - least) / most
                        )
                    )
                }
            }
        }
        return squares.sorted { $0.fault < $1.fault }
    }

    private static func text(in square: Square, of picture: MarkPicture) -> String? {
        let (side, frame) = (QRCode.Reading.version.side, QRCode.Reading.frame)
        var light = [Double](repeating: 0, count: side * side)
        var (ink, inkCount, paper, paperCount) = (0.0, 0.0, 0.0, 0.0)
        for row in 0..<side {
            for column in 0..<side {
                let value = Self.light(row, column, of: square, picture)
                light[row * side + column] = value
                switch frame[row, column] {
                case .dark: (ink, inkCount) = (ink + value, inkCount + 1)
                case .light: (paper, paperCount) = (paper + value, paperCount + 1)
                case .format, .data: break
                }
            }
        }
        (ink, paper) = (ink / inkCount, paper / paperCount)
        guard paper - ink >= contrastMin else { return nil }
        let middle = (ink + paper) / 2
        let wrongCount = (0..<side * side).count { at in
            switch frame[at / side, at % side] {
            case .dark: light[at] >= middle
            case .light: light[at] < middle
            case .format, .data: false
            }
        }
        guard Double(wrongCount) <= wrongShareMax * (inkCount + paperCount) else { return nil }
        for share in shares {
            let threshold = ink + share * (paper - ink)
            if let text = QRCode.Reading.text({ light[$0 * side + $1] < threshold }) { return text }
        }
        return nil
    }

    /// Of the middle of a module, and a little around it.
    private static func light(_ row: Int, _ column: Int, of square: Square, _ picture: MarkPicture) -> Double {
        var sum = 0.0
        for (right, down) in [(0, 0), (-0.2, 0), (0.2, 0), (0, -0.2), (0, 0.2)] {
            let (across, along) = (Double(column - 3) + right, Double(row - 3) + down)
            sum += picture.light(
                x: square.x + across * square.right.x + along * square.down.x,
                y: square.y + across * square.right.y + along * square.down.y
            )
        }
        return sum / 5
    }
}
