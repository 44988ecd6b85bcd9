/// What of a QR code is the same whatever it says, and where the rest goes (ISO/IEC 18004 §6.3, §7.7).
struct QRFrame {
    struct Place: Hashable {
        let row, column: Int
    }

    enum Module { case dark, light, format, data }

    let side: Int
    private var modules: [Module]

    init(_ version: QRCode.Version) {
        side = version.side
        modules = [Module](repeating: .data, count: side * side)
        for (row, column) in [(0, 0), (0, side - 7), (side - 7, 0)] { drawFinder(row, column) }
        for index in 8..<side - 8 {
            self[6, index] = index % 2 == 0 ? .dark : .light
            self[index, 6] = index % 2 == 0 ? .dark : .light
        }
        if version.number > 1 { drawAlignment(around: side - 7) }
        for place in Self.formatPlaces(side).flatMap({ $0 }) { self[place.row, place.column] = .format }
        self[side - 8, 8] = .dark
    }

    subscript(row: Int, column: Int) -> Module {
        get { modules[row * side + column] }
        set { modules[row * side + column] = newValue }
    }

    /// With the white edge that parts it from the data.
    private mutating func drawFinder(_ top: Int, _ left: Int) {
        for row in -1...7 {
            for column in -1...7 where (0..<side).contains(top + row) && (0..<side).contains(left + column) {
                let ring = max(abs(row - 3), abs(column - 3))
                self[top + row, left + column] = ring == 2 || ring == 4 ? .light : .dark
            }
        }
    }

    private mutating func drawAlignment(around centre: Int) {
        for row in -2...2 {
            for column in -2...2 {
                self[centre + row, centre + column] = max(abs(row), abs(column)) == 1 ? .light : .dark
            }
        }
    }

    /// Level and mask, twice (§7.9): five bits with ten of BCH (15, 5), so masked that they are never all light.
    func format(level: Int, mask: Int) -> [(Place, Bool)] {
        let word = Self.formatWord(level: level, mask: mask)
        return Self.formatPlaces(side).enumerated().flatMap { bit, places in
            places.map { ($0, word >> bit & 1 == 1) }
        }
    }

    static func formatWord(level: Int, mask: Int) -> Int {
        let data = level << 3 | mask
        var rest = data << 10
        for bit in (10..<15).reversed() where rest >> bit & 1 == 1 { rest ^= 0b101_0011_0111 << (bit - 10) }
        return (data << 10 | rest) ^ 0b101_0100_0001_0010
    }

    /// Of each of the fifteen bits, from the least.
    static func formatPlaces(_ side: Int) -> [[Place]] {
        (0..<15).map { bit in
            let first: Place
            switch bit {
            case 0...5: first = Place(row: bit, column: 8)
            case 6: first = Place(row: 7, column: 8)
            case 7: first = Place(row: 8, column: 8)
            case 8: first = Place(row: 8, column: 7)
            default: first = Place(row: 8, column: 14 - bit)
            }
            let second =
                bit < 8 ? Place(row: 8, column: side - 1 - bit) : Place(row: side - 15 + bit, column: 8)
            return [first, second]
        }
    }

    /// In pairs of columns from the right, up and down in turn, past the upright timing pattern (§7.7.3).
    var dataPlaces: [Place] {
        var places: [Place] = []
        var isUpwards = true
        for right in stride(from: side - 1, to: 0, by: -2).map({ $0 <= 6 ? $0 - 1 : $0 }) where right > 0 {
            for step in 0..<side {
                let row = isUpwards ? side - 1 - step : step
                for column in [right, right - 1] where self[row, column] == .data {
                    places.append(Place(row: row, column: column))
                }
            }
            isUpwards.toggle()
        }
        return places
    }

    static func isMasked(_ mask: Int, _ place: Place) -> Bool {
        let (row, column) = (place.row, place.column)
        switch mask {
        case 0: return (row + column) % 2 == 0
        case 1: return row % 2 == 0
        case 2: return column % 3 == 0
        case 3: return (row + column) % 3 == 0
        case 4: return (row / 2 + column / 3) % 2 == 0
        case 5: return row * column % 2 + row * column % 3 == 0
        case 6: return (row * column % 2 + row * column % 3) % 2 == 0
        default: return ((row + column) % 2 + row * column % 3) % 2 == 0
        }
    }
}
