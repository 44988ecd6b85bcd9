/// What is built.
enum Buildings {
    static func house(_ pen: Pen) {
        let isTall = pen.chance(0.4)
        let eaves = isTall ? -58.0 : -46
        let left = pen.chance(0.5) ? -1.0 : 1
        // The chimney and its smoke.
        pen.shape(.box(left * 24 - 6.5, eaves - 34, 13, 30, round: 1))
        pen.shape(.box(left * 24 - 8.5, eaves - 38, 17, 6, round: 2), line: 0.9)
        if pen.chance(0.7) {
            pen.at(left * 27, eaves - 50, scale: 0.2) { Sky.puff(pen) }
            pen.at(left * 34, eaves - 66, scale: 0.28) { Sky.puff(pen) }
        }
        pen.shape(.box(-38, eaves - 2, 76, -eaves + 2, round: 1))
        let roof = Path.polygon([(-50, eaves), (-8, eaves - 40), (8, eaves - 40), (50, eaves)], round: 4)
        let tiles = pen.chance(0.6) && pen.level != .easy
        pen.shape(roof) {
            guard tiles else { return }
            for row in 0..<3 {
                let y = eaves - 30 + Double(row) * 11
                for column in -6...6 {
                    let x = Double(column) * 11 + (row % 2 == 0 ? 0 : 5.5)
                    pen.stroke(.arc(x, y, 5.5, 6, from: 0, to: 180), line: 0.65)
                }
            }
        }
        if !tiles { pen.shape(.circle(0, eaves - 18, 8), line: 0.85) }
        if !tiles { pen.shape(.heart(0, eaves - 18, 4), line: 0.7) }
        let side = pen.chance(0.5) ? -1.0 : 1
        door(pen, x: side * 16)
        window(pen, x: -side * 16, y: -24)
        if isTall { pen.both { window(pen, x: 17, y: -47, size: 8) } }
        pen.shape(.box(-44, -3, 88, 5, round: 2.5), line: 0.9)
        if pen.chance(0.6) {
            for x in [-48.0, 48] {
                pen.at(x, 0, scale: 0.26) {
                    pen.merged {
                        pen.shape(.circle(-20, -20, 20))
                        pen.shape(.circle(20, -20, 20))
                        pen.shape(.circle(0, -34, 24))
                    }
                }
            }
        }
    }

    private static func door(_ pen: Pen, x: Double) {
        pen.shape(.blob([.c(x - 11, 0), .c(x - 11, -24), .p(x, -36), .c(x + 11, -24), .c(x + 11, 0)]), line: 0.95)
        pen.shape(.circle(x, -25, 4.5), line: 0.7)
        pen.black(.circle(x + 6.5, -13, 1.5))
    }

    private static func window(_ pen: Pen, x: Double, y: Double, size: Double = 10.5) {
        pen.shape(.box(x - size, y - size, size * 2, size * 2, round: 2), line: 0.9)
        pen.stroke(.lines([(x - size, y), (x + size, y)]), line: 0.7)
        pen.stroke(.lines([(x, y - size), (x, y + size)]), line: 0.7)
    }

    static func castle(_ pen: Pen) {
        let high = pen.between(0, 8)
        // The keep behind.
        tower(pen, x: 0, wide: 15, top: -78 - high)
        pen.shape(.box(-36, -44, 72, 44, round: 1))
        pen.shape(battlements(from: -36, to: 36, top: -52, bottom: -42, count: 5))
        pen.both { tower(pen, x: 40, wide: 13, top: -62) }
        let gate = Path.blob([.c(-13, 0), .c(-13, -18), .p(0, -33), .c(13, -18), .c(13, 0)])
        pen.shape(gate) {
            guard pen.level != .easy else { return }
            for x in [-6.5, 0, 6.5] { pen.stroke(.lines([(x, 0), (x, -40)]), line: 0.65) }
            for y in [-9.0, -19] { pen.stroke(.lines([(-20, y), (20, y)]), line: 0.65) }
        }
        if pen.chance(0.5) {
            pen.both { pen.shape(.heart(21, -28, 4.5), line: 0.8) }
        } else {
            pen.both { pen.shape(.blob([.c(17, -20), .c(17, -27), .p(21, -32), .c(25, -27), .c(25, -20)]), line: 0.8) }
        }
        bricks(pen)
    }

    private static func tower(_ pen: Pen, x: Double, wide: Double, top: Double) {
        let isPointed = pen.chance(0.75)
        if isPointed {
            pen.stroke(.lines([(x, top - 26), (x, top - 44)]), line: 0.9)
            pen.shape(
                .blob([
                    .c(x, top - 44), .p(x + 8, top - 45), .c(x + 15, top - 39), .p(x + 8, top - 36), .c(x, top - 34),
                ]),
                line: 0.85
            )
        }
        pen.shape(.box(x - wide, top, wide * 2, -top, round: 1))
        if isPointed {
            pen.shape(.polygon([(x - wide - 5, top + 2), (x, top - 30), (x + wide + 5, top + 2)], round: 2.5))
        } else {
            pen.shape(battlements(from: x - wide - 3, to: x + wide + 3, top: top - 9, bottom: top + 3, count: 3))
        }
        pen.shape(
            .blob([.c(x - 5, top + 22), .c(x - 5, top + 13), .p(x, top + 7), .c(x + 5, top + 13), .c(x + 5, top + 22)]),
            line: 0.85
        )
    }

    private static func battlements(from left: Double, to right: Double, top: Double, bottom: Double, count: Int)
        -> Path
    {
        let step = (right - left) / Double(count * 2 - 1)
        let notch = top + (bottom - top) * 0.5
        var corners: [(Double, Double)] = [(left, bottom)]
        for index in 0..<count {
            let x = left + Double(index * 2) * step
            corners += [(x, top), (x + step, top)]
            if index < count - 1 { corners += [(x + step, notch), (x + step * 2, notch)] }
        }
        return .polygon(corners + [(right, bottom)], round: 0.8)
    }

    private static func bricks(_ pen: Pen) {
        guard pen.level != .easy else { return }
        for (x, y) in [(-40.0, -12.0), (42, -20), (38, -8), (-43, -30), (-22, -8), (20, -9)] {
            pen.stroke(.lines([(x - 4, y), (x + 4, y)]), line: 0.65)
            pen.stroke(.lines([(x, y), (x, y + 4)]), line: 0.65)
        }
    }

    static func robot(_ pen: Pen) {
        let isRound = pen.chance(0.5)
        let raised = pen.chance(0.5)
        pen.both { pen.tube(.lines([(10, -18), (10, -6)]), width: 9) }
        pen.both { pen.shape(.blob([.c(2, 0), .p(4, -8), .p(11, -10), .p(20, -8), .c(22, 0)])) }
        pen.tube(.curve([.p(-24, -46), .p(-36, -42), .p(-38, -28)]), width: 8)
        pen.tube(
            raised
                ? .curve([.p(24, -46), .p(38, -52), .p(42, -66)]) : .curve([.p(24, -46), .p(36, -42), .p(38, -28)]),
            width: 8
        )
        claw(pen, x: -38, y: -23, turn: 180)
        if raised { claw(pen, x: 43, y: -70, turn: 14) } else { claw(pen, x: 38, y: -23, turn: 180) }
        pen.shape(.box(-24, -54, 48, 40, round: isRound ? 14 : 5))
        switch pen.whole(0...2) {
        case 0:
            pen.shape(.box(-15, -46, 30, 17, round: 3), line: 0.85)
            pen.stroke(.lines([(-11, -37), (-6, -37), (-3, -43), (2, -32), (5, -37), (11, -37)]), line: 0.75)
        case 1: pen.shape(.heart(0, -36, 9.5), line: 0.85)
        default:
            pen.shape(.circle(0, -37, 10), line: 0.85)
            pen.stroke(.lines([(0, -37), (5, -42)]), line: 0.9)
        }
        for x in [-9.0, 0, 9] { pen.shape(.circle(x, -21, 2.8), line: 0.75) }
        pen.tube(.lines([(0, -54), (0, -60)]), width: 10)
        pen.stroke(.lines([(0, -92), (0, -102)]), line: 0.9)
        pen.shape(pen.chance(0.5) ? .circle(0, -105, 4.5) : .star(0, -106, 7, 3.5, round: 1))
        pen.both { pen.shape(.box(25, -80, 7, 14, round: 3), line: 0.95) }
        pen.shape(.box(-27, -92, 54, 34, round: isRound ? 16 : 7))
        pen.shape(.box(-21, -87, 42, 24, round: isRound ? 11 : 4), line: 0.75)
        var face = Face.thrown(by: pen)
        face.apart = 10
        face.drop = 9
        face.mouthWidth = 7
        face.hasCheeks = false
        pen.at(0, -78) { face.draw(with: pen) }
    }

    private static func claw(_ pen: Pen, x: Double, y: Double, turn: Double) {
        pen.at(x, y, turn: turn) {
            pen.shape(
                .blob([
                    .p(-5, 4), .p(-8, -4), .c(-5, -12), .p(-2.5, -4), .c(0, -1), .p(2.5, -4), .c(5, -12), .p(8, -4),
                    .p(5, 4),
                ]),
                line: 0.95
            )
        }
    }
}
