/// Pixels: red, green and blue by turns, a byte each.
package struct Picture: Equatable, Sendable {
    package let width: Int
    package let height: Int
    package let bytes: [UInt8]

    /// - Returns: `nil`: there are not as many bytes as that takes.
    package init?(width: Int, height: Int, bytes: [UInt8]) {
        guard width > 0, height > 0, width <= Self.sideMax, height <= Self.sideMax, bytes.count == width * height * 3
        else { return nil }
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    package static let sideMax = 2_048

    subscript(x: Int, y: Int) -> RGB {
        let at = (min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)) * 3
        return RGB(bytes[at], bytes[at + 1], bytes[at + 2])
    }

    /// The mean of what lies in a piece of the picture: of `columns` × `rows` of them, this one.
    func mean(_ column: Int, _ row: Int, of columns: Int, _ rows: Int) -> RGB {
        let left = column * width / columns
        let right = max(left + 1, (column + 1) * width / columns)
        let top = row * height / rows
        let bottom = max(top + 1, (row + 1) * height / rows)
        var (red, green, blue, count) = (0, 0, 0, 0)
        for y in top..<min(bottom, height) {
            for x in left..<min(right, width) {
                let at = (y * width + x) * 3
                red += Int(bytes[at])
                green += Int(bytes[at + 1])
                blue += Int(bytes[at + 2])
                count += 1
            }
        }
        guard count > 0 else { return self[left, top] }
        return RGB(UInt8(red / count), UInt8(green / count), UInt8(blue / count))
    }
}

/// Where a picture may be, and how many pixels are worth having of it.
struct PictureBox: Equatable {
    let columns: Int
    let rows: Int
    let pixelWidth: Int
    let pixelHeight: Int
    /// Pixels of a cell, for the shape.
    private let cell: (width: Int, height: Int)

    static func == (left: Self, right: Self) -> Bool {
        left.columns == right.columns && left.rows == right.rows && left.pixelWidth == right.pixelWidth
    }

    init(_ size: ScreenSize, _ ability: TerminalAbility) {
        columns = max(1, size.width - 2)
        rows = max(1, size.height - 5)
        switch ability.pictures {
        case .letters, .blocks:
            cell = (1, 2)
            // As many again each way, so that every cell is a mean.
            pixelWidth = min(512, columns * 2)
            pixelHeight = min(512, rows * 4)
        case .sixel, .kitty:
            cell = (ability.cellWidth, ability.cellHeight)
            pixelWidth = min(512, columns * cell.width)
            pixelHeight = min(512, rows * cell.height)
        }
    }

    /// Columns and rows that the picture takes, in its own shape.
    func shape(of picture: Picture) -> (columns: Int, rows: Int) {
        // A cell's pixels are square ones.
        let wide = picture.width * cell.height
        let high = picture.height * cell.width
        if columns * high <= rows * wide {
            return (columns, max(1, min(rows, columns * high / max(1, wide))))
        }
        return (max(1, min(columns, rows * wide / max(1, high))), rows)
    }
}
