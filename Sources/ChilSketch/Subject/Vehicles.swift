/// What drives, floats and flies.
enum Vehicles {
    static func wheel(_ pen: Pen, _ x: Double, _ y: Double, _ radius: Double) {
        pen.shape(.circle(x, y, radius))
        pen.shape(.circle(x, y, radius * 0.52), line: 0.8)
        pen.black(.circle(x, y, radius * 0.14))
    }

    static func car(_ pen: Pen) {
        let isRound = pen.chance(0.5)
        let roof: Path =
            isRound
            ? .blob([.c(-34, -34), .p(-28, -54), .p(-10, -63), .p(14, -61), .p(30, -48), .c(36, -34)])
            : .polygon([(-38, -33), (-31, -60), (12, -60), (32, -33)], round: 7)
        if pen.chance(0.35) { roofLoad(pen) }
        pen.shape(roof)
        let window: Path =
            isRound
            ? .blob([.c(-26, -36), .p(-20, -50), .c(-4, -56), .c(-4, -36)])
            : .polygon([(-29, -36), (-24, -53), (-6, -53), (-6, -36)], round: 3)
        pen.shape(window, line: 0.8)
        pen.shape(
            isRound
                ? .blob([.c(2, -36), .c(2, -56), .p(16, -53), .c(27, -36)])
                : .polygon([(0, -36), (0, -53), (10, -53), (22, -36)], round: 3),
            line: 0.8
        )
        let body = Path.blob([
            .p(-56, -20), .p(-52, -34), .p(-34, -37), .p(32, -37), .p(52, -31), .p(58, -18), .c(57, -9), .c(-55, -9),
        ])
        pen.shape(body) {
            switch pen.whole(0...2) {
            case 0: pen.stroke(.curve([.p(-60, -18), .p(0, -16), .p(62, -18)]), line: 0.8)
            case 1: pen.shape(.star(-1, -23, 8, 4, round: 1.5), line: 0.7)
            default: pen.shape(.heart(-1, -23, 7), line: 0.7)
            }
        }
        pen.stroke(.lines([(-10, -29), (-4, -29)]), line: 0.8)
        pen.shape(.ellipse(50, -25, 5, 6), line: 0.8)
        pen.shape(.box(-57, -28, 6, 9, round: 2), line: 0.8)
        pen.shape(.box(52, -13, 9, 7, round: 3), line: 0.9)
        pen.shape(.box(-61, -13, 9, 7, round: 3), line: 0.9)
        wheel(pen, -31, -10, 13)
        wheel(pen, 31, -10, 13)
    }

    private static func roofLoad(_ pen: Pen) {
        pen.shape(.box(-22, -77, 28, 15, round: 3))
        pen.stroke(.lines([(-12, -77), (-12, -62)]), line: 0.7)
        pen.shape(.circle(13, -68, 7))
    }

    static func bus(_ pen: Pen) {
        pen.shape(.box(-60, -68, 120, 58, round: 11)) {
            pen.stroke(.lines([(-70, -30), (70, -30)]), line: 0.8)
            pen.stroke(.lines([(-70, -24), (70, -24)]), line: 0.8)
        }
        let riders = pen.whole(1...3)
        for index in 0..<3 {
            let x = -53 + Double(index) * 24
            let pane = Path.box(x, -60, 20, 23, round: 4)
            pen.shape(pane, line: 0.85) {
                if index < riders, pen.level != .easy { rider(pen, x: x + 10, y: -44) }
            }
        }
        pen.shape(.box(20, -60, 17, 46, round: 4), line: 0.85)
        pen.stroke(.lines([(28.5, -60), (28.5, -14)]), line: 0.7)
        pen.shape(.box(42, -60, 15, 24, round: 5), line: 0.85)
        pen.shape(.ellipse(56, -18, 3.6, 4.6), line: 0.8)
        pen.shape(.box(-30, -78, 60, 11, round: 4), line: 0.9)
        for x in [-20.0, -10, 0, 10, 20] { pen.shape(.circle(x, -72.5, 2.4), line: 0.6) }
        wheel(pen, -36, -10, 13)
        wheel(pen, 40, -10, 13)
    }

    /// A face at a window, with its chin at about (x, y + 8).
    static func rider(_ pen: Pen, x: Double, y: Double) {
        pen.shape(.ellipse(x, y + 14, 10, 9), line: 0.7)
        switch pen.whole(0...2) {
        case 0: pen.both(beside: x) { pen.shape(.circle(6.5, y - 5.5, 3), line: 0.7) }
        case 1: pen.both(beside: x) { pen.shape(.polygon([(3, y - 6), (7, y - 12), (8, y - 3)], round: 1), line: 0.7) }
        default: pen.both(beside: x) { pen.shape(.ellipse(3, y - 11, 2.2, 5), line: 0.7) }
        }
        pen.shape(.circle(x, y, 7.5), line: 0.75)
        pen.both(beside: x) { pen.black(.circle(2.8, y - 1, 1.1)) }
        pen.mark(.arc(x, y + 1.2, 2.4, 2.2, from: 20, to: 160), width: 1)
    }

    static func train(_ pen: Pen) {
        let smoke = pen.whole(2...3)
        for index in 0..<smoke {
            let step = Double(index)
            pen.at(-38 + step * 15, -80 - step * 9, scale: 0.2 + step * 0.09) { Sky.puff(pen) }
        }
        // A wagon with its load.
        switch pen.whole(0...1) {
        case 0:
            for (x, y) in [(38.0, -40.0), (50, -41), (62, -40), (44, -47), (56, -48)] { pen.shape(.circle(x, y, 8)) }
        default: for x in [40.0, 57] { pen.at(x, -29) { rider(pen, x: 0, y: -12) } }
        }
        pen.shape(.polygon([(28, -38), (72, -38), (67, -12), (33, -12)], round: 4)) {
            pen.stroke(.lines([(20, -31), (80, -31)]), line: 0.8)
        }
        pen.stroke(.lines([(18, -13), (32, -13)]), line: 1.2)
        // The engine.
        pen.shape(.polygon([(-46, -50), (-49, -66), (-29, -66), (-32, -50)], round: 3))
        pen.shape(.box(-52, -69, 26, 7, round: 3))
        pen.shape(.blob([.p(-22, -50), .p(-16, -58), .p(-10, -50)]))
        pen.shape(.box(-56, -52, 56, 38, round: 12))
        pen.stroke(.lines([(-34, -51), (-34, -15)]), line: 0.8)
        pen.shape(.box(-12, -72, 34, 60, round: 4))
        pen.shape(.box(-18, -80, 46, 10, round: 5))
        let window = Path.box(-5, -64, 20, 22, round: 5)
        pen.shape(window, line: 0.85) { if pen.level != .easy { rider(pen, x: 5, y: -49) } }
        pen.shape(.polygon([(-56, -16), (-70, -2), (-52, -2)], round: 2))
        pen.shape(.box(-58, -18, 82, 8, round: 3))
        var face = Face.thrown(by: pen, mouths: [.smile, .open])
        face.apart = 6
        face.drop = 9
        face.eyeSize = 3.2
        face.mouthWidth = 5
        face.hasCheeks = false
        pen.at(-45, -36) { face.draw(with: pen) }
        wheel(pen, -42, -8, 9)
        wheel(pen, -20, -8, 9)
        wheel(pen, 8, -11, 12)
        wheel(pen, 40, -8, 8.5)
        wheel(pen, 60, -8, 8.5)
        pen.stroke(.lines([(-72, 3), (76, 3)]), line: 1)
    }

    static func boat(_ pen: Pen) {
        if pen.chance(0.55) { sailing(pen) } else { steamer(pen) }
    }

    private static func sailing(_ pen: Pen) {
        pen.tube(.lines([(0, -24), (0, -98)]), width: 4)
        pen.shape(.blob([.c(4, -92), .p(30, -66), .c(44, -34), .p(24, -32), .c(4, -34)])) {
            switch pen.whole(0...2) {
            case 0: for y in [-72.0, -58, -44] { pen.stroke(.lines([(0, y), (60, y)]), line: 0.8) }
            case 1: pen.shape(.star(19, -50, 9, 4.5, round: 1.6), line: 0.8)
            default: pen.shape(.heart(18, -50, 8), line: 0.8)
            }
        }
        pen.shape(.blob([.c(-5, -86), .p(-20, -62), .c(-34, -36), .p(-18, -33), .c(-5, -35)]))
        pen.shape(.blob([.c(2, -99), .p(12, -101), .c(22, -96), .p(12, -92), .c(2, -90)]), line: 0.9)
        hull(pen)
    }

    private static func steamer(_ pen: Pen) {
        for index in 0..<2 {
            let step = Double(index)
            pen.at(24 + step * 14, -82 - step * 8, scale: 0.2 + step * 0.08) { Sky.puff(pen) }
        }
        pen.shape(.polygon([(2, -50), (4, -74), (20, -74), (18, -50)], round: 2)) {
            pen.stroke(.lines([(0, -64), (30, -64)]), line: 0.8)
        }
        pen.shape(.box(-30, -52, 58, 30, round: 5))
        for x in [-18.0, 0, 18] { pen.shape(.circle(x - 1, -39, 6), line: 0.85) }
        pen.stroke(.lines([(-38, -26), (-38, -56)]), line: 0.9)
        pen.shape(.polygon([(-38, -56), (-56, -51), (-38, -45)], round: 1), line: 0.9)
        hull(pen)
    }

    private static func hull(_ pen: Pen) {
        let hull = Path.blob([
            .c(-54, -28), .p(0, -23), .c(56, -30), .p(47, -12), .p(34, 0), .p(0, 3), .p(-34, 1), .p(-46, -12),
        ])
        pen.shape(hull) {
            pen.stroke(.curve([.p(-60, -20), .p(0, -15), .p(62, -22)]), line: 0.8)
        }
        if pen.chance(0.5) {
            for x in [-20.0, 0, 20] { pen.shape(.circle(x, -7, 4), line: 0.75) }
        } else {
            var face = Face.thrown(by: pen, mouths: [.smile])
            face.apart = 9
            face.drop = 6
            face.eyeSize = 3
            face.mouthWidth = 5
            face.hasCheeks = false
            pen.at(0, -10) { face.draw(with: pen) }
        }
    }

    static func rocket(_ pen: Pen) {
        pen.at(0, -50, turn: pen.pick([0, 18, -18, 30])) {
            pen.at(0, 50) {
                pen.shape(
                    .blob([
                        .c(-13, -16), .p(-17, 0), .c(-12, 14), .c(-6, 6), .p(0, 22), .c(6, 6), .c(12, 14), .p(17, 0),
                        .c(13, -16),
                    ])
                )
                pen.shape(.blob([.c(-6, -14), .p(-7, -4), .p(0, 9), .p(7, -4), .c(6, -14)]), line: 0.8)
                pen.both {
                    pen.shape(.blob([.c(17, -52), .p(34, -36), .c(37, -8), .p(26, -18), .c(15, -20)]))
                }
                let body = Path.blob([
                    .c(0, -108), .p(17, -84), .p(23, -56), .p(19, -28), .c(14, -14), .c(-14, -14), .p(-19, -28),
                    .p(-23, -56), .p(-17, -84),
                ])
                pen.shape(body) {
                    pen.stroke(.curve([.p(-26, -80), .p(0, -75), .p(26, -80)]), line: 0.9)
                    pen.stroke(.curve([.p(-26, -26), .p(0, -22), .p(26, -26)]), line: 0.9)
                    if pen.level == .detailed {
                        pen.stroke(.curve([.p(-26, -33), .p(0, -29), .p(26, -33)]), line: 0.8)
                    }
                }
                pen.shape(.circle(0, -56, 14))
                let glass = Path.circle(0, -56, 10.5)
                pen.shape(glass, line: 0.8) {
                    if pen.chance(0.6), pen.level != .easy { rider(pen, x: 0, y: -54) }
                }
                pen.shape(.blob([.p(-4, -34), .p(0, -38), .p(4, -34), .c(3, -8), .c(-3, -8)]), line: 0.9)
            }
        }
    }

    static func airplane(_ pen: Pen) {
        pen.at(0, -36, turn: pen.between(-16, 4)) {
            pen.shape(.blob([.c(-4, -10), .p(10, -34), .c(24, -42), .p(26, -30), .c(20, -8)]))
            pen.shape(.blob([.c(38, -8), .p(46, -30), .c(56, -38), .p(60, -26), .c(56, -4)]))
            let body = Path.blob([
                .p(-58, 6), .p(-46, -10), .p(-24, -17), .p(20, -15), .c(58, -10), .p(62, -3), .p(48, 8), .p(14, 18),
                .p(-30, 19), .p(-52, 14),
            ])
            pen.shape(body) {
                pen.stroke(.curve([.p(-64, 9), .p(-10, 9), .p(66, 1)]), line: 0.8)
            }
            pen.shape(
                .blob([.c(-44, -11), .p(-34, -14.5), .c(-27, -16), .p(-29, -6), .c(-34, -3), .p(-46, -3), .c(-51, -5)]),
                line: 0.85
            )
            for x in [-14.0, -1, 12, 25] { pen.shape(.box(x - 4, -9, 8.5, 9, round: 3.5), line: 0.8) }
            pen.shape(.blob([.c(-12, 8), .p(6, 6), .c(18, 8), .p(32, 26), .c(42, 40), .p(22, 34)]))
            pen.shape(.blob([.c(44, 0), .p(54, -1), .c(60, 0), .p(64, 8), .c(70, 15), .p(56, 11)]))
            let face = Face(
                eyes: pen.pick([.round, .happy]),
                mouth: .smile,
                hasCheeks: false,
                eyeSize: 3.4,
                mouthWidth: 6
            )
            pen.mark(.curve([.p(-55, 10), .p(-49, 13), .p(-43, 12)]), width: 1.8)
            pen.at(-42, 3) { face.drawEye(with: pen, side: 1, at: 0) }
            if pen.chance(0.5) { pen.shape(.star(50, -22, 5.5, 2.7, round: 0.8), line: 0.7) }
            if pen.chance(0.5) {
                pen.at(-60, 6) {
                    pen.shape(.ellipse(-4, -10, 3, 10))
                    pen.shape(.ellipse(-4, 10, 3, 10))
                    pen.shape(.circle(-3, 0, 3.6), line: 0.9)
                }
            }
        }
    }

    static func hotAirBalloon(_ pen: Pen) {
        let wide = pen.between(0.9, 1.15)
        pen.at(0, 0, scale: wide, stretch: 1 / wide, turn: pen.between(-5, 5)) { balloon(pen) }
    }

    private static func balloon(_ pen: Pen) {
        let envelope = Path.blob([
            .p(0, -100), .p(28, -90), .p(39, -66), .p(29, -42), .c(11, -27), .c(-11, -27), .p(-29, -42), .p(-39, -66),
            .p(-28, -90),
        ])
        pen.both {
            pen.stroke(.lines([(10, -27), (8.5, -14)]), line: 0.7)
        }
        let coat = pen.whole(0...2)
        pen.shape(envelope) {
            switch coat {
            case 0:
                pen.both { pen.stroke(.curve([.p(0, -101), .p(16, -66), .p(4, -26)]), line: 0.9) }
            case 1:
                let zigzag = stride(from: -48.0, through: 48, by: 8).enumerated().map {
                    ($0.element, $0.offset % 2 == 0 ? -78.0 : -68.0)
                }
                pen.stroke(.lines(zigzag), line: 0.9)
                pen.stroke(.lines(zigzag.map { ($0.0, $0.1 + 18) }), line: 0.9)
            default:
                pen.shape(.heart(0, -66, 17), line: 0.9)
                pen.both { pen.shape(.heart(29, -66, 6), line: 0.8) }
            }
        }
        if coat == 1 {
            pen.shape(.star(0, -87, 6.5, 3.2, round: 1), line: 0.7)
        }
        pen.shape(.polygon([(-11, -14), (11, -14), (9, 2), (-9, 2)], round: 3)) {
            if pen.level != .easy {
                for x in [-4.0, 4] { pen.stroke(.lines([(x, -14), (x * 0.85, 2)]), line: 0.6) }
                pen.stroke(.lines([(-12, -6), (12, -6)]), line: 0.6)
            }
        }
        pen.shape(.box(-13, -17, 26, 5, round: 2.5), line: 0.9)
    }
}
