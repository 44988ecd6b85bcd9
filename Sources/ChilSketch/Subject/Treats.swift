/// What tastes good.
enum Treats {
    static func cake(_ pen: Pen) {
        let layers = pen.level == .easy ? 2 : pen.whole(2...3)
        pen.shape(.blob([.c(-54, -4), .p(-40, 2), .p(40, 2), .c(54, -4), .p(40, -8), .p(-40, -8)]))
        var top = -5.0
        let hasFace = layers == 2 && pen.chance(0.6)
        for layer in 0..<layers {
            let half = 42 - Double(layer) * 12
            let high = 27.0 - Double(layer) * 2
            tier(
                pen,
                half: half,
                top: top - high,
                bottom: top,
                decoration: hasFace && layer == 0 ? 4 : pen.whole(0...3)
            )
            top -= high
        }
        if hasFace {
            var face = Face.thrown(by: pen)
            face.apart = 12
            face.drop = 7
            face.mouthWidth = 6
            pen.at(0, -18) { face.draw(with: pen) }
        }
        switch pen.whole(0...2) {
        case 0:
            pen.shape(.circle(0, top - 5, 7))
            pen.stroke(.curve([.p(0, top - 11), .p(2, top - 18), .p(8, top - 22)]), line: 0.85)
        case 1: strawberry(pen, x: 0, y: top + 2, size: 9)
        default: candles(pen, top: top, count: layers == 3 ? 2 : 3)
        }
    }

    private static func candles(_ pen: Pen, top: Double, count: Int) {
        for index in 0..<count {
            let x = (Double(index) - Double(count - 1) / 2) * 12
            pen.shape(.box(x - 2.8, top - 17, 5.6, 19, round: 1.5), line: 0.9)
            pen.stroke(.lines([(x - 2.8, top - 6), (x + 2.8, top - 10)]), line: 0.6)
            pen.shape(.blob([.c(x, top - 31), .p(x + 4, top - 22), .p(x, top - 18), .p(x - 4, top - 22)]), line: 0.85)
        }
    }

    private static func tier(_ pen: Pen, half: Double, top: Double, bottom: Double, decoration: Int) {
        pen.shape(.box(-half, top, half * 2, bottom - top, round: 5)) {
            let low = bottom - 8
            switch decoration {
            case 0:
                for x in stride(from: -half + 9, through: half - 6, by: 13) {
                    pen.shape(.circle(x, low, 3.4), line: 0.75)
                }
            case 1:
                for x in stride(from: -half + 9, through: half - 6, by: 16) { pen.shape(.heart(x, low, 4), line: 0.75) }
            case 2:
                for x in stride(from: -half + 8, through: half - 4, by: 12) {
                    pen.stroke(.lines([(x, bottom - 12), (x, bottom - 3)]), line: 0.8)
                }
            case 3: pen.stroke(.lines([(-half, low), (half, low)]), line: 0.8)
            default: break
            }
        }
        // The icing runs down.
        let drops = max(2, Int(half / 7))
        let step = half * 2 / Double(drops)
        var knots: [Knot] = [.c(-half - 2, top - 1), .c(half + 2, top - 1)]
        for drop in 0..<drops {
            let x = half - (Double(drop) + 0.5) * step
            let deep = drop % 2 == 0 ? 12.0 : 9.0
            knots += [
                .p(x + step * 0.36, top + deep - 3), .p(x, top + deep), .p(x - step * 0.36, top + deep - 3),
                .p(x - step * 0.5, top + 5.5),
            ]
        }
        knots.removeLast()
        pen.shape(.blob(knots), line: 0.9)
    }

    static func strawberry(_ pen: Pen, x: Double, y: Double, size: Double) {
        pen.at(x, y, scale: size / 10) {
            pen.shape(.blob([.p(0, -17), .p(9, -16), .p(10, -8), .p(0, 2), .p(-10, -8), .p(-9, -16)]), line: 0.95)
            for seed in [(-4.0, -9.0), (4, -9), (0, -4)] {
                pen.stroke(.lines([seed, (seed.0, seed.1 + 1.4)]), line: 0.6)
            }
            pen.shape(.star(0, -17, 7, 3, round: 0.8), line: 0.8)
        }
    }

    static func iceCream(_ pen: Pen) {
        let scoops = pen.level == .easy ? pen.whole(1...2) : pen.whole(1...3)
        let cone = Path.polygon([(-23, -46), (23, -46), (0, 6)], round: 3)
        pen.shape(cone) {
            for step in -3...5 {
                let x = Double(step) * 11
                pen.stroke(.lines([(x - 30, -50), (x + 6, 6)]), line: 0.75)
                pen.stroke(.lines([(x + 20, -50), (x - 16, 6)]), line: 0.75)
            }
        }
        var y = -58.0
        for index in 0..<scoops {
            let radius = 28.0 - Double(index) * 3
            scoop(pen, y: y, radius: radius, hasSprinkles: index > 0 || scoops == 1 ? pen.chance(0.4) : false)
            if index == 0 {
                var face = Face.thrown(by: pen)
                face.apart = 10
                face.drop = 9
                face.mouthWidth = 7
                face.hasCheeks = false
                pen.at(0, y - 5) { face.draw(with: pen) }
            }
            y -= radius * 1.2
        }
        switch pen.whole(0...1) {
        case 0:
            pen.shape(.circle(0, y + 3, 6.5))
            pen.stroke(.curve([.p(0, y - 3), .p(2, y - 10), .p(7, y - 13)]), line: 0.85)
        default: pen.at(0, y + 6) { strawberry(pen, x: 0, y: 0, size: 9) }
        }
        pen.shape(.box(-29, -50, 58, 9, round: 4.5))
    }

    private static func scoop(_ pen: Pen, y: Double, radius: Double, hasSprinkles: Bool) {
        let low = y + radius * 0.5
        pen.shape(
            .blob([
                .p(0, y - radius), .p(radius * 0.8, y - radius * 0.62), .p(radius, low - 3), .p(radius * 0.78, low + 4),
                .p(radius * 0.5, low - 1),
                .p(radius * 0.2, low + 5), .p(-radius * 0.2, low), .p(-radius * 0.55, low + 5),
                .p(-radius * 0.98, low + 1), .p(-radius, low - 6),
                .p(-radius * 0.8, y - radius * 0.62),
            ])
        )
        guard hasSprinkles else { return }
        for (x, up, turn) in [(-12.0, -0.5, 30.0), (0, -0.72, -20), (11, -0.5, 60)] {
            pen.at(x, y + radius * up, turn: turn) { pen.tube(.lines([(-2.4, 0), (2.4, 0)]), width: 2.4) }
        }
    }

    static func apple(_ pen: Pen) {
        pen.tube(.curve([.p(0, -66), .p(1, -78), .p(6, -88)]), width: 4)
        pen.shape(.blob([.c(4, -74), .p(16, -90), .c(36, -90), .p(26, -74)]))
        pen.stroke(.curve([.p(8, -76), .p(18, -82), .p(28, -86)]), line: 0.65)
        pen.shape(
            .blob([
                .c(0, -66), .p(16, -74), .p(36, -64), .p(42, -40), .p(32, -12), .p(14, 0), .p(0, -3), .p(-14, 0),
                .p(-32, -12), .p(-42, -40),
                .p(-36, -64), .p(-16, -74),
            ])
        )
        pen.stroke(.arc(-14, -44, 19, 20, from: 190, to: 240), line: 0.7)
        var face = Face.thrown(by: pen)
        face.apart = 13
        pen.at(0, -38) { face.draw(with: pen) }
        if pen.chance(0.35) {
            pen.at(30, -10) {
                pen.tube(.curve([.p(0, 0), .p(11, -2), .p(18, 4)]), width: 8)
                pen.black(.circle(17, 2, 1.2))
            }
        }
    }

    static func fruitStrawberry(_ pen: Pen) {
        pen.shape(
            .blob([
                .p(0, -80), .p(30, -78), .p(40, -54), .p(26, -20), .p(0, 0), .p(-26, -20), .p(-40, -54), .p(-30, -78),
            ])
        ) {
            for (x, y) in [(-22.0, -62.0), (24, -62), (-29, -46), (30, -45), (-16, -22), (16, -22), (0, -64), (0, -12)]
            {
                pen.shape(.ellipse(x, y, 1.8, 2.8), line: 0.65)
            }
        }
        pen.shape(
            .blob([
                .c(0, -86), .p(10, -80), .c(32, -88), .p(24, -74), .c(30, -62), .p(14, -68), .c(0, -56), .p(-14, -68),
                .c(-30, -62), .p(-24, -74), .c(-32, -88), .p(-10, -80),
            ])
        )
        pen.tube(.curve([.p(0, -82), .p(-2, -90), .p(-8, -96)]), width: 4)
        var face = Face.thrown(by: pen)
        face.apart = 11
        face.drop = 11
        face.hasCheeks = false
        pen.at(0, -44) { face.draw(with: pen) }
    }
}
