/// Finds each actor a place in an area: in rows, as large as they can be, true to their heights beside each other.
struct Rows {
    struct Stand {
        let actor: Actor
        /// Where the actor's drawing comes to lie, in pixels.
        let bounds: Bounds
        let scale: Double
    }

    /// Where in its row's height an actor is.
    enum Footing { case low, middle }

    private static let gap = 0.16

    let area: Bounds
    let footing: Footing
    /// No actor becomes higher than this, in pixels.
    let heightMax: Double

    /// From the back to the front.
    func stands(for actors: [Actor], dice: inout Dice) -> [Stand] {
        guard !actors.isEmpty else { return [] }
        var best: (size: Double, rows: [[Actor]]) = (0, [])
        for rowCount in 1...min(3, actors.count) {
            let rows = Self.split(actors, into: rowCount)
            let size = rows.map { self.size(of: $0, rowCount: rowCount) }.min() ?? 0
            if size > best.size * 1.04 { best = (size, rows) }
        }
        let rowHeight = area.height / Double(best.rows.count)
        var stands: [Stand] = []
        for (index, row) in best.rows.enumerated() {
            let bottom = area.top + rowHeight * Double(index + 1)
            let size = min(size(of: row, rowCount: best.rows.count), best.size * 1.15)
            let used = row.reduce(0) { $0 + $1.width * size }
            let space = (area.width - used) / Double(row.count + 1)
            var x = area.left + space
            for actor in row {
                let (wide, high) = (actor.width * size, actor.height * size)
                let free = rowHeight - high
                let lift = footing == .low ? free * dice.between(0, 0.12) : free * dice.between(0.3, 0.7)
                let shift = space * dice.between(-0.22, 0.22)
                let left = min(max(area.left, x + shift), area.right - wide)
                let box = Bounds(left: left, top: bottom - lift - high, right: left + wide, bottom: bottom - lift)
                stands.append(Stand(actor: actor, bounds: box, scale: high / max(1, actor.drawing.bounds.height)))
                x += wide + space
            }
        }
        return stands
    }

    /// The pixels that a height of one gets.
    private func size(of row: [Actor], rowCount: Int) -> Double {
        let wide = row.reduce(0) { $0 + $1.width } + Self.gap * Double(row.count - 1)
        let high = row.map(\.height).max() ?? 1
        return min(area.width / wide, area.height / Double(rowCount) * 0.97 / high, heightMax / high)
    }

    /// The later rows are the fuller ones: they stand in front.
    private static func split(_ actors: [Actor], into count: Int) -> [[Actor]] {
        var rows: [[Actor]] = []
        var start = 0
        for row in 0..<count {
            let size = (actors.count - start) / (count - row)
            rows.append(Array(actors[start..<start + size]))
            start += size
        }
        return rows
    }
}
