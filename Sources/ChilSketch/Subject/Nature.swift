/// What grows and stands outside.
enum Nature {
    static func tree(_ pen: Pen) {
        switch pen.whole(0...2) {
        case 0: round(pen)
        case 1: fir(pen)
        default: cloudy(pen)
        }
    }

    private static func trunk(_ pen: Pen, wide: Double) {
        pen.shape(
            .blob([
                .c(-wide, -44), .p(-wide * 0.9, -16), .c(-wide * 2, 0), .p(0, -2), .c(wide * 2, 0), .p(wide * 0.9, -16),
                .c(wide, -44),
            ])
        )
        pen.stroke(.curve([.p(-wide * 0.2, -28), .p(-wide * 0.3, -18), .p(-wide * 0.5, -10)]), line: 0.6)
    }

    private static func round(_ pen: Pen) {
        trunk(pen, wide: 8)
        pen.shape(
            .blob([
                .p(0, -102), .p(28, -94), .p(40, -70), .p(32, -46), .p(10, -36), .p(-14, -37), .p(-34, -48),
                .p(-40, -72), .p(-26, -95),
            ])
        )
        fruit(pen)
    }

    private static func cloudy(_ pen: Pen) {
        trunk(pen, wide: 8)
        pen.tube(.lines([(3, -30), (22, -44)]), width: 6)
        pen.merged {
            for (x, y, radius) in [
                (-26.0, -58.0, 18.0), (26, -56, 18), (-16, -80, 19), (17, -80, 19), (0, -92, 15), (0, -58, 22),
            ] {
                pen.shape(.circle(x, y, radius))
            }
        }
        fruit(pen)
    }

    private static func fruit(_ pen: Pen) {
        let places = [(-20.0, -58.0), (18, -54), (-4, -82), (22, -78), (0, -62), (-22, -80)]
        let kind = pen.whole(0...3)
        for (x, y) in places.prefix(pen.level == .easy ? 3 : pen.level == .medium ? 5 : 6) {
            switch kind {
            case 0:
                pen.shape(.circle(x, y, 5.5), line: 0.85)
                pen.stroke(.curve([.p(x, y - 5), .p(x + 1, y - 8), .p(x + 3, y - 9)]), line: 0.7)
            case 1: pen.shape(.heart(x, y, 5.5), line: 0.85)
            case 2: pen.at(x, y, scale: 0.9) { Extras.flower(with: pen) }
            default:
                pen.stroke(.curve([.p(x - 6, y - 1), .p(x - 2, y + 2), .p(x + 1, y), .p(x + 5, y + 2)]), line: 0.8)
            }
        }
    }

    private static func fir(_ pen: Pen) {
        pen.shape(.box(-7, -16, 14, 16, round: 2))
        for (top, bottom, half) in [(-50.0, -12.0, 36.0), (-76, -36, 29), (-98, -60, 21)] {
            pen.shape(
                .blob([
                    .c(0, top), .p(half * 0.46, (top + bottom) / 2), .c(half, bottom), .p(half * 0.5, bottom + 3),
                    .c(half * 0.2, bottom - 1), .c(-half * 0.2, bottom - 1), .p(-half * 0.5, bottom + 3),
                    .c(-half, bottom), .p(-half * 0.46, (top + bottom) / 2),
                ])
            )
        }
        if pen.chance(0.6) {
            pen.shape(.star(0, -100, 10, 5, round: 1.6))
            for (x, y) in [(-10.0, -24.0), (12, -22), (-8, -46), (9, -48), (0, -70), (22, -18)] {
                pen.shape(.circle(x, y, 4), line: 0.8)
            }
        }
    }

    static func flower(_ pen: Pen) {
        let kind = pen.whole(0...3)
        pen.tube(.curve([.p(0, -2), .p(2, -24), .p(0, -50)]), width: 4)
        pen.shape(.blob([.c(1, -12), .p(14, -28), .c(34, -32), .p(26, -16)]))
        pen.stroke(.curve([.p(4, -13), .p(16, -20), .p(26, -27)]), line: 0.6)
        pen.shape(.blob([.c(1, -8), .p(-14, -22), .c(-32, -24), .p(-24, -10)]))
        pen.stroke(.curve([.p(-3, -9), .p(-14, -15), .p(-24, -20)]), line: 0.6)
        guard kind != 3 else { return tulip(pen) }
        pen.at(0, -70, turn: pen.between(-8, 8)) {
            let count = kind == 0 ? 6 : kind == 1 ? 8 : 12
            for index in 0..<count {
                pen.at(0, 0, turn: Double(index) * 360 / Double(count)) {
                    switch kind {
                    case 0: pen.shape(.ellipse(0, -21, 12.5, 14))
                    case 1: pen.shape(.blob([.c(-4, -8), .p(-9, -24), .p(0, -35), .p(9, -24), .c(4, -8)]))
                    default: pen.shape(.blob([.c(-5, -12), .p(-6, -24), .c(0, -36), .p(6, -24), .c(5, -12)]))
                    }
                }
            }
            let middle = Path.circle(0, 0, kind == 2 ? 18 : 15.5)
            pen.shape(middle)
            var face = Face.thrown(by: pen)
            face.apart = 6.5
            face.drop = 7.5
            face.eyeSize = 3.1
            face.mouthWidth = 5
            face.hasCheeks = false
            pen.at(0, -2.5) { face.draw(with: pen) }
        }
    }

    private static func tulip(_ pen: Pen) {
        pen.shape(
            .blob([
                .c(-14, -92), .p(-4, -84), .c(0, -96), .p(4, -84), .c(14, -92), .p(18, -68), .p(0, -48), .p(-18, -68),
            ])
        )
        pen.shape(.blob([.c(-25, -92), .p(-8, -76), .p(0, -48), .p(-16, -50), .p(-25, -68)]))
        pen.shape(.blob([.c(25, -92), .p(8, -76), .p(0, -48), .p(16, -50), .p(25, -68)]))
    }

    static func mushroom(_ pen: Pen) {
        pen.shape(.blob([.c(-17, -48), .p(-15, -24), .p(-21, -6), .p(0, 1), .p(21, -6), .p(15, -24), .c(17, -48)]))
        let cap = Path.blob([.c(-50, -46), .p(-40, -74), .p(0, -94), .p(40, -74), .c(50, -46), .p(0, -37)])
        pen.shape(cap) {
            for (x, y, radius) in [
                (-4.0, -72.0, 11.0), (27, -62, 8.5), (-32, -58, 8), (12, -47, 6), (-12, -47, 5), (22, -84, 6),
                (-26, -80, 5),
            ] {
                pen.shape(.ellipse(x, y, radius, radius * 0.88), line: 0.8)
            }
        }
        var face = Face.thrown(by: pen)
        face.apart = 7.5
        face.drop = 8
        face.eyeSize = 3.6
        face.mouthWidth = 5.5
        face.hasCheeks = false
        pen.at(0, -24) { face.draw(with: pen) }
        pen.both {
            pen.shape(
                .blob([.c(20, 0), .p(24, -12), .c(30, -18), .p(29, -8), .c(38, -10), .p(34, -2), .c(36, 1)]),
                line: 0.8
            )
        }
    }

    static func mountain(_ pen: Pen) {
        let side = pen.chance(0.5)
        pen.at(0, 0, flip: side) {
            peak(pen, x: 40, high: 62, half: 42)
            peak(pen, x: -12, high: 96, half: 58)
            if pen.chance(0.6) { peak(pen, x: 52, high: 36, half: 30) }
            if pen.chance(0.5) {
                var face = Face.thrown(by: pen)
                face.apart = 13
                pen.at(-12, -36) { face.draw(with: pen) }
            }
        }
    }

    private static func peak(_ pen: Pen, x: Double, high: Double, half: Double) {
        let outline = Path.blob([
            .c(x - half, 0), .p(x - half * 0.5, -high * 0.56), .p(x - 6, -high * 0.98), .p(x + 6, -high * 0.98),
            .p(x + half * 0.5, -high * 0.56), .c(x + half, 0),
        ])
        pen.shape(outline) {
            let snow = -high * 0.66
            let edge: [(Double, Double)] = [
                (-half, -3), (-half * 0.34, 4), (-half * 0.17, -5), (0, 6), (half * 0.17, -4), (half * 0.36, 5),
                (half, -4),
            ]
            pen.stroke(.curve(edge.map { .p(x + $0.0, snow + $0.1) }), line: 0.9)
        }
    }
}
