/// A subject drawn for a scene, not yet anywhere.
struct Actor {
    let drawing: Drawing
    /// Beside others' (`Subject.height`).
    let height: Double
    var isFlipped = false

    var width: Double { height * drawing.bounds.width / max(1, drawing.bounds.height) }

    init(drawing: Drawing, height: Double) {
        self.drawing = drawing
        self.height = height
    }

    init(_ subject: Subject, dice: Dice, level: SketchLevel) {
        let pen = Pen(dice: dice, level: level)
        let flips = pen.chance(0.4)
        pen.at(0, 0, flip: flips) { subject.draw(with: pen) }
        drawing = pen.drawing
        isFlipped = flips
        // What is much wider than high would push all others aside.
        height = min(subject.height, subject.height * 1.5 * drawing.bounds.height / max(1, drawing.bounds.width))
    }

    /// A rider on its seat, as one drawing.
    static func pair(rider: Actor, base: Actor, seat: Point) -> Actor {
        let pen = Pen(dice: Dice(seed: 0), level: .medium)
        pen.paste(base.drawing)
        let (below, above) = (base.drawing.bounds, rider.drawing.bounds)
        let share = 0.62 * rider.height / max(0.9, base.height)
        let scale = min(1.1, max(0.45, share)) * below.height / max(1, above.height) * 0.85
        pen.at(
            below.left + below.width * (base.isFlipped ? 1 - seat.x : seat.x) - above.middle.x * scale,
            below.top + below.height * seat.y - (above.bottom - above.height * 0.04) * scale,
            scale: scale
        ) { pen.paste(rider.drawing) }
        return Actor(drawing: pen.drawing, height: 1.4)
    }
}
