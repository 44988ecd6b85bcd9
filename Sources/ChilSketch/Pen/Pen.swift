/// Draws a subject in its own space: about 100 units high, y downwards, the middle at x = 0.
final class Pen {
    private(set) var drawing = Drawing()
    var dice: Dice
    let level: SketchLevel
    private var transform = Transform.identity
    private var clipDepth = 0
    /// While parts are merged: they are collected, to be outlined together.
    private var merging: [(path: Path, tube: Double?)]?

    init(dice: Dice, level: SketchLevel) {
        self.dice = dice
        self.level = level
    }

    // MARK: - Chance

    func chance(_ probability: Double) -> Bool { dice.chance(probability) }
    func between(_ low: Double, _ high: Double) -> Double { dice.between(low, high) }
    func whole(_ range: ClosedRange<Int>) -> Int { dice.whole(range) }
    func pick<Choice>(_ choices: [Choice]) -> Choice { dice.pick(choices) }

    // MARK: - Marks

    /// A white area with a black outline, which hides what is below it.
    func shape(_ path: Path, line: Double = 1) {
        let path = path.mapped(transform)
        guard merging == nil else {
            merging?.append((path, nil))
            return
        }
        add(.fill(path, .white))
        add(.stroke(path, Drawing.Width(pens: line), .black))
        note(path)
    }

    /// A shape with a pattern that ends at its outline.
    func shape(_ path: Path, line: Double = 1, pattern: () -> Void) {
        let mapped = path.mapped(transform)
        add(.fill(mapped, .white))
        inside(path, pattern)
        add(.stroke(mapped, Drawing.Width(pens: line), .black))
        note(mapped)
    }

    /// What `draw` leaves shows inside of `path` only.
    func inside(_ path: Path, _ draw: () -> Void) {
        add(.clip(path.mapped(transform)))
        clipDepth += 1
        draw()
        clipDepth -= 1
        add(.unclip)
    }

    /// Shapes and tubes become one area with one outline around it.
    func merged(_ draw: () -> Void) {
        guard merging == nil else { return draw() }
        merging = []
        draw()
        let parts = merging ?? []
        merging = nil
        for part in parts {
            add(.stroke(part.path, Drawing.Width(units: part.tube ?? 0, pens: 2), .black))
            note(part.path, reach: (part.tube ?? 0) / 2)
        }
        for part in parts {
            if let tube = part.tube {
                add(.stroke(part.path, Drawing.Width(units: tube), .white))
            } else {
                add(.fill(part.path, .white))
            }
        }
    }

    /// A hollow band along a line: limbs, tails, letters.
    func tube(_ path: Path, width: Double) {
        let (path, width) = (path.mapped(transform), width * transform.scale)
        guard merging == nil else {
            merging?.append((path, width))
            return
        }
        add(.stroke(path, Drawing.Width(units: width, pens: 1), .black))
        add(.stroke(path, Drawing.Width(units: width, pens: -1), .white))
        note(path, reach: width / 2)
    }

    func stroke(_ path: Path, line: Double = 1) {
        let path = path.mapped(transform)
        add(.stroke(path, Drawing.Width(pens: line), .black))
        note(path)
    }

    /// Lines that belong to the subject and grow with it: a mouth, an eyelid.
    func mark(_ path: Path, width: Double) {
        let path = path.mapped(transform)
        add(.stroke(path, Drawing.Width(units: width * transform.scale), .black))
        note(path)
    }

    func black(_ path: Path) {
        let path = path.mapped(transform)
        add(.fill(path, .black))
        note(path)
    }

    func white(_ path: Path) {
        add(.fill(path.mapped(transform), .white))
    }

    /// The marks of another drawing, in this pen's space.
    func paste(_ other: Drawing) {
        for mark in other.marks {
            switch mark {
            case .fill(let path, let tone): add(.fill(path.mapped(transform), tone))
            case .stroke(let path, let width, let tone):
                let width = Drawing.Width(units: width.units * transform.scale, pens: width.pens)
                add(.stroke(path.mapped(transform), width, tone))
            case .clip(let path): add(.clip(path.mapped(transform)))
            case .unclip: add(.unclip)
            }
        }
        let bounds = other.bounds
        guard !bounds.isEmpty else { return }
        note(
            Path.box(bounds.left, bounds.top, bounds.width, bounds.height).mapped(transform)
        )
    }

    // MARK: - Space

    func at(
        _ x: Double,
        _ y: Double,
        scale: Double = 1,
        stretch: Double = 1,
        turn: Double = 0,
        flip: Bool = false,
        _ draw: () -> Void
    ) {
        let outer = transform
        transform = outer.after(
            Transform(moveX: x, y, scale: scale, stretch: stretch, turn: turn, flip: flip)
        )
        draw()
        transform = outer
    }

    /// Once as it is and once mirrored at x = 0.
    func both(_ draw: () -> Void) {
        draw()
        at(0, 0, flip: true, draw)
    }

    /// Once as it is and once mirrored, beside an axis at `x`.
    func both(beside x: Double, _ draw: () -> Void) {
        at(x, 0) { both(draw) }
    }

    private func add(_ mark: Drawing.Mark) {
        drawing.marks.append(mark)
    }

    private func note(_ path: Path, reach: Double = 0) {
        guard clipDepth == 0 else { return }
        for line in path.flattened(tolerance: 0.5) {
            for point in line.points { drawing.bounds.take(point, reach: reach) }
        }
    }
}
