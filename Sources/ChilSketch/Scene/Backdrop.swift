/// What is around the subjects: ground, water, sky. Things that would be half hidden are left out.
struct Backdrop {
    let place: Place
    /// Where the ground begins, or the water.
    let horizon: Double
    /// Suns and moons that the wish has already.
    let hasHeavens: Bool

    // MARK: - Behind the subjects

    func drawBehind(on page: inout Page) {
        let frame = page.frame
        let (level, short) = (page.level, page.short)
        switch place {
        case .meadow, .night, .snow:
            if level != .easy || page.dice.chance(0.4) { hills(on: &page) }
            ground(on: &page, from: horizon, swing: 0.02)
        case .sea: break
        case .underwater: ground(on: &page, from: frame.bottom - short * 0.08, swing: 0.016)
        case .space: if horizon < frame.bottom { craters(on: &page) }
        case .plain: break
        }
    }

    private func ground(on page: inout Page, from y: Double, swing: Double) {
        let frame = page.frame
        let rise = page.short * swing
        page.drawInFrame { pen in
            let (left, right) = (pen.between(-rise, rise), pen.between(-rise, rise))
            let knots: [Knot] = [
                .c(frame.left - 20, y + left), .p(frame.left + frame.width * 0.3, y - rise * 0.8),
                .p(frame.left + frame.width * 0.7, y + rise * 0.6),
                .c(frame.right + 20, y + right), .c(frame.right + 20, frame.bottom + 40),
                .c(frame.left - 20, frame.bottom + 40),
            ]
            pen.shape(.blob(knots))
        }
    }

    private func hills(on page: inout Page) {
        let frame = page.frame
        let (horizon, short) = (horizon, page.short)
        page.drawInFrame(line: 0.85) { pen in
            let count = pen.whole(1...2)
            for index in 0..<count {
                let middle =
                    frame.left + frame.width
                    * (count == 1
                        ? pen.between(0.2, 0.8) : index == 0 ? pen.between(0.08, 0.3) : pen.between(0.7, 0.92))
                pen.shape(
                    .ellipse(
                        middle,
                        horizon + short * 0.1,
                        short * pen.between(0.32, 0.46),
                        short * pen.between(0.16, 0.24)
                    )
                )
            }
        }
    }

    private func craters(on page: inout Page) {
        ground(on: &page, from: horizon, swing: 0.02)
        let frame = page.frame
        let short = page.short
        let strip = Bounds(
            left: frame.left + 10,
            top: horizon + short * 0.03,
            right: frame.right - 10,
            bottom: frame.bottom - 8
        )
        for _ in 0..<6 {
            let wide = short * page.dice.between(0.05, 0.1)
            guard let box = page.freeBox(in: strip, width: wide, height: wide * 0.4, gap: 4) else { continue }
            page.draw(line: 0.75) { $0.shape(.ellipse(box.middle.x, box.middle.y, box.width / 2, box.height / 2)) }
        }
    }

    // MARK: - Before what floats

    /// The water, which hides the feet of what swims on it.
    func drawWater(on page: inout Page) {
        guard place == .sea else { return }
        let frame = page.frame
        let short = page.short
        let rows = page.level == .easy ? 2 : page.level == .medium ? 3 : 4
        let deep = (frame.bottom - horizon) / Double(rows)
        page.drawInFrame { pen in
            for row in 0..<rows {
                let y = horizon + deep * Double(row)
                let length = short * (0.17 - 0.015 * Double(row))
                pen.shape(
                    Self.wave(
                        from: frame.left - length,
                        to: frame.right + length,
                        y: y,
                        length: length,
                        phase: pen.between(0, 1),
                        down: frame.bottom + 40
                    ),
                    line: row == 0 ? 1 : 0.85
                )
            }
        }
    }

    func drawBeach(on page: inout Page, from y: Double) {
        ground(on: &page, from: y, swing: 0.025)
    }

    private static func wave(
        from left: Double,
        to right: Double,
        y: Double,
        length: Double,
        phase: Double,
        down: Double
    ) -> Path {
        var knots: [Knot] = [.c(left - length, down)]
        var x = left - length * phase
        while x < right {
            knots += [.c(x, y + length * 0.09), .p(x + length / 2, y - length * 0.09)]
            x += length
        }
        knots += [.c(x, y + length * 0.09), .c(x, down)]
        return .blob(knots)
    }

    // MARK: - Between the subjects

    func drawAround(on page: inout Page) {
        let frame = page.frame
        let sky = Bounds(left: frame.left, top: frame.top, right: frame.right, bottom: min(horizon, frame.bottom))
            .inset(by: page.pen * 3)
        let ground = Bounds(left: frame.left, top: horizon, right: frame.right, bottom: frame.bottom).inset(
            by: page.pen * 2
        )
        switch place {
        case .meadow:
            day(on: &page, sky)
            meadow(on: &page, ground)
        case .sea: day(on: &page, sky)
        case .underwater: underwater(on: &page)
        case .space, .night:
            stars(on: &page, sky)
            if place == .night { meadow(on: &page, ground) }
        case .snow: snow(on: &page, sky)
        case .plain: strew(on: &page, frame.inset(by: page.pen * 4))
        }
    }

    private func count(on page: Page, _ easy: Int, _ medium: Int, _ detailed: Int) -> Int {
        switch page.level {
        case .easy: easy
        case .medium: medium
        case .detailed: detailed
        }
    }

    private func day(on page: inout Page, _ sky: Bounds) {
        let short = page.short
        if !hasHeavens {
            // A high sky has room for a large one.
            let size = min(0.3, max(0.18, sky.height / short * 0.45)) * short * page.dice.between(0.9, 1.1)
            put(.sun, on: &page, in: sky, width: size, height: size)
        }
        for _ in 0..<count(on: page, 1, 2, 3) {
            let high = short * page.dice.between(0.07, 0.11)
            guard let box = page.freeBox(in: sky, width: high * 1.75, height: high, gap: page.pen * 1.5) else {
                continue
            }
            let pen = Pen(dice: page.dice.branch(), level: page.level)
            Sky.puff(pen)
            page.put(pen.drawing, in: box)
        }
        for _ in 0..<count(on: page, 0, 1, 2) {
            let wide = short * 0.07
            guard let box = page.freeBox(in: sky, width: wide, height: wide * 0.4, gap: page.pen) else { continue }
            page.draw(line: 0.7) { pen in
                pen.stroke(
                    .curve([
                        .p(box.left, box.top), .p(box.left + box.width * 0.26, box.top), .c(box.middle.x, box.bottom),
                        .p(box.right - box.width * 0.26, box.top), .p(box.right, box.top),
                    ])
                )
            }
        }
    }

    private func put(_ subject: Subject, on page: inout Page, in area: Bounds, width: Double, height: Double) {
        guard let box = page.freeBox(in: area, width: width, height: height, gap: page.pen) else { return }
        let actor = Actor(subject, dice: page.dice.branch(), level: page.level)
        let scale = min(1, width / (height * actor.drawing.bounds.width / max(1, actor.drawing.bounds.height)))
        let shrink = box.height * (1 - scale) / 2
        page.put(
            actor.drawing,
            in: Bounds(left: box.left, top: box.top + shrink, right: box.right, bottom: box.bottom - shrink)
        )
    }

    private func meadow(on page: inout Page, _ ground: Bounds) {
        let short = page.short
        for _ in 0..<count(on: page, 1, 3, 5) {
            let high = short * page.dice.between(0.08, 0.11)
            guard let box = page.freeBox(in: ground, width: high * 0.62, height: high, gap: page.pen) else { continue }
            page.draw(line: 0.75) { pen in
                pen.at(box.middle.x, box.bottom, scale: high / 30) {
                    pen.stroke(.curve([.p(0, 0), .p(1, -10), .p(0, -20)]))
                    pen.shape(.blob([.c(0, -2), .p(5, -8), .c(10, -9), .p(6, -3)]), line: 0.9)
                    pen.at(0, -22, scale: 0.95) { Extras.flower(with: pen) }
                }
            }
        }
        for _ in 0..<count(on: page, 2, 5, 8) {
            let high = short * page.dice.between(0.03, 0.045)
            guard let box = page.freeBox(in: ground, width: high * 1.5, height: high, gap: page.pen) else { continue }
            page.draw(line: 0.75) { pen in
                for (x, tip) in [(-0.5, -0.75), (0.0, 0.0), (0.5, 0.75)] {
                    pen.stroke(
                        .curve([
                            .p(box.middle.x + x * high * 0.5, box.bottom),
                            .p(box.middle.x + tip * high * 0.8, box.top + abs(tip) * high * 0.4),
                        ])
                    )
                }
            }
        }
    }

    private func stars(on page: inout Page, _ sky: Bounds) {
        let short = page.short
        if place == .night, !hasHeavens { put(.moon, on: &page, in: sky, width: short * 0.2, height: short * 0.2) }
        if place == .space { planet(on: &page, sky) }
        for _ in 0..<count(on: page, 5, 9, 14) {
            let size = short * page.dice.between(0.035, 0.075)
            guard let box = page.freeBox(in: sky, width: size, height: size, gap: page.pen) else { continue }
            page.draw(line: 0.75) {
                $0.shape(
                    .star(box.middle.x, box.middle.y, size / 2, size / 4, round: size * 0.06, turn: $0.between(-20, 20))
                )
            }
        }
    }

    private func planet(on page: inout Page, _ sky: Bounds) {
        let size = page.short * page.dice.between(0.16, 0.22)
        guard let box = page.freeBox(in: sky, width: size, height: size * 0.7, gap: page.pen) else { return }
        page.draw(line: 0.85) { pen in
            let radius = size * 0.3
            pen.at(box.middle.x, box.middle.y, turn: -16) {
                pen.shape(.circle(0, 0, radius)) {
                    pen.stroke(
                        .curve([
                            .p(-radius * 1.2, -radius * 0.5), .p(0, -radius * 0.3), .p(radius * 1.2, -radius * 0.5),
                        ]),
                        line: 0.8
                    )
                }
                pen.stroke(.arc(0, 0, size * 0.48, size * 0.12, from: -28, to: 208))
                pen.stroke(.arc(0, 0, size * 0.38, size * 0.075, from: -8, to: 188), line: 0.8)
            }
        }
    }

    private func underwater(on page: inout Page) {
        let frame = page.frame
        let short = page.short
        let floor = Bounds(
            left: frame.left + short * 0.03,
            top: frame.bottom - short * 0.34,
            right: frame.right - short * 0.03,
            bottom: frame.bottom - short * 0.03
        )
        for _ in 0..<count(on: page, 2, 3, 5) {
            let high = short * page.dice.between(0.16, 0.28)
            let low = Bounds(
                left: floor.left,
                top: floor.bottom - high - short * 0.03,
                right: floor.right,
                bottom: floor.bottom
            )
            guard let box = page.freeBox(in: low, width: high * 0.42, height: high, gap: page.pen) else { continue }
            page.draw(line: 0.85) { pen in
                pen.at(box.middle.x, box.bottom, scale: high / 100) { Self.weed(pen) }
            }
        }
        for _ in 0..<count(on: page, 1, 2, 3) {
            let size = short * page.dice.between(0.06, 0.085)
            let sand = Bounds(
                left: floor.left,
                top: frame.bottom - short * 0.13,
                right: floor.right,
                bottom: floor.bottom
            )
            guard let box = page.freeBox(in: sand, width: size, height: size, gap: page.pen) else { continue }
            page.draw(line: 0.75) {
                $0.shape(
                    .star(box.middle.x, box.middle.y, size / 2, size / 4.2, round: size * 0.12, turn: $0.between(0, 70))
                )
            }
        }
        for _ in 0..<count(on: page, 4, 8, 12) {
            let size = short * page.dice.between(0.02, 0.05)
            guard let box = page.freeBox(in: frame.inset(by: short * 0.03), width: size, height: size, gap: page.pen)
            else { continue }
            page.draw(line: 0.7) { pen in
                pen.shape(.circle(box.middle.x, box.middle.y, size / 2))
                if size > short * 0.035 {
                    pen.stroke(
                        .arc(box.middle.x, box.middle.y, size * 0.32, size * 0.32, from: 190, to: 260),
                        line: 0.8
                    )
                }
            }
        }
    }

    private static func weed(_ pen: Pen) {
        for (x, high, bend) in [(0.0, 100.0, 9.0), (-12, 64, -8), (12, 72, 7)] {
            pen.shape(
                .blob([
                    .c(x - 4, 0), .p(x - 5 + bend, -high * 0.3), .p(x - 5 - bend, -high * 0.65),
                    .c(x + bend * 0.6, -high), .p(x + 5 - bend * 0.5, -high * 0.65),
                    .p(x + 5 + bend, -high * 0.3), .c(x + 4, 0),
                ])
            )
        }
    }

    private func snow(on page: inout Page, _ sky: Bounds) {
        let short = page.short
        for index in 0..<count(on: page, 7, 12, 18) {
            let size = short * (index % 3 == 0 ? page.dice.between(0.06, 0.09) : page.dice.between(0.022, 0.034))
            guard let box = page.freeBox(in: sky, width: size, height: size, gap: page.pen) else { continue }
            page.draw(line: 0.7) { pen in
                guard index % 3 == 0 else { return pen.shape(.circle(box.middle.x, box.middle.y, size / 2)) }
                for spoke in 0..<6 {
                    pen.at(box.middle.x, box.middle.y, turn: Double(spoke) * 60) {
                        pen.stroke(.lines([(0, 0), (0, -size / 2)]))
                        pen.stroke(
                            .lines([(-size * 0.12, -size * 0.42), (0, -size * 0.28), (size * 0.12, -size * 0.42)])
                        )
                    }
                }
            }
        }
    }

    /// Small ornaments in all that is free.
    func strew(on page: inout Page, _ area: Bounds, more: Int = 0) {
        let short = page.short
        for _ in 0..<count(on: page, 8, 16, 26) + more {
            let size = short * page.dice.between(0.04, 0.085)
            guard let box = page.freeBox(in: area, width: size, height: size, gap: page.pen * 1.2) else { continue }
            page.draw(line: 0.75) { pen in
                switch pen.whole(0...4) {
                case 0, 1:
                    pen.shape(
                        .star(
                            box.middle.x,
                            box.middle.y,
                            size / 2,
                            size / 4,
                            round: size * 0.06,
                            turn: pen.between(-20, 20)
                        )
                    )
                case 2: pen.shape(.heart(box.middle.x, box.middle.y, size * 0.42))
                case 3: pen.at(box.middle.x, box.middle.y, scale: size / 18) { Extras.flower(with: pen) }
                default: pen.shape(.circle(box.middle.x, box.middle.y, size * 0.26))
                }
            }
        }
    }
}
