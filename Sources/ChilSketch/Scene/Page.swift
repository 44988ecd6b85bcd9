/// A page while it is drawn: where there still is room, and how thick the pen is.
struct Page {
    let size: SketchSize
    let level: SketchLevel
    /// Everything is inside of it.
    let frame: Bounds
    /// The pen's width, in pixels.
    let pen: Double
    var dice: Dice
    private(set) var painter: Painter
    private(set) var taken: [Bounds] = []

    private static let margin = 0.035

    init(size: SketchSize, level: SketchLevel, dice: Dice) {
        self.size = size
        self.level = level
        self.dice = dice
        painter = Painter(width: size.width, height: size.height)
        let short = Double(min(size.width, size.height))
        pen = max(2, short * level.pen)
        frame = Bounds(left: 0, top: 0, right: Double(size.width), bottom: Double(size.height)).inset(
            by: short * Self.margin + pen
        )
    }

    /// The shorter side of the frame.
    var short: Double { min(frame.width, frame.height) }

    /// Draws in pixels.
    mutating func draw(line: Double = 1, _ draw: (Pen) -> Void) {
        let drawer = Pen(dice: dice.branch(), level: level)
        draw(drawer)
        painter.paint(drawer.drawing, pen: pen * line)
    }

    /// Like `draw`, but nothing leaves the frame.
    mutating func drawInFrame(line: Double = 1, _ draw: (Pen) -> Void) {
        let frame = frame
        self.draw(line: line) { pen in
            pen.inside(Self.outline(of: frame)) { draw(pen) }
        }
    }

    mutating func drawFrame(isDouble: Bool) {
        let frame = frame
        let inner = frame.inset(by: pen * 1.8)
        draw { pen in
            pen.stroke(Self.outline(of: frame))
            if isDouble { pen.stroke(Self.outline(of: inner), line: 0.6) }
        }
    }

    private static func outline(of frame: Bounds) -> Path {
        .box(frame.left, frame.top, frame.width, frame.height, round: min(frame.width, frame.height) * 0.05)
    }

    mutating func put(_ stand: Rows.Stand) {
        put(stand.actor.drawing, in: stand.bounds)
    }

    /// Puts a drawing with its middle at that of the box, as high as it.
    mutating func put(_ drawing: Drawing, in box: Bounds) {
        let scale = box.height / max(1, drawing.bounds.height)
        let from = drawing.bounds.middle
        let to = box.middle
        // What is drawn small has a thinner pen, though not in proportion.
        let thin = min(1, max(0.6, (box.height / short / 0.4).squareRoot()))
        painter.paint(
            drawing,
            by: Transform(moveX: to.x - from.x * scale, to.y - from.y * scale, scale: scale),
            pen: pen * thin
        )
    }

    mutating func take(_ bounds: Bounds) {
        taken.append(bounds)
    }

    /// A free box somewhere in `area`, if one is found.
    mutating func freeBox(in area: Bounds, width: Double, height: Double, gap: Double) -> Bounds? {
        guard area.width >= width, area.height >= height else { return nil }
        for _ in 0..<12 {
            let left = dice.between(area.left, area.right - width)
            let top = dice.between(area.top, area.bottom - height)
            let box = Bounds(left: left, top: top, right: left + width, bottom: top + height)
            if !taken.contains(where: { $0.overlaps(box.inset(by: -gap)) }) {
                taken.append(box)
                return box
            }
        }
        return nil
    }
}
