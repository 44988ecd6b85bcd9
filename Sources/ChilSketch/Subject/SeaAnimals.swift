/// What swims or lives by the water.
enum SeaAnimals {
    static func fish(_ pen: Pen) {
        let high = pen.between(25, 33)
        let tail = pen.pick([0, 1])
        if tail == 0 {
            pen.shape(.blob([.c(26, 0), .p(44, -20), .c(58, -24), .p(52, 0), .c(58, 24), .p(44, 20)]))
        } else {
            pen.shape(.blob([.c(26, 0), .p(42, -26), .p(54, -14), .c(48, 0), .p(54, 14), .p(42, 26)]))
        }
        pen.stroke(.curve([.p(36, -3), .p(43, -8), .p(50, -12)]), line: 0.6)
        pen.stroke(.curve([.p(36, 3), .p(43, 8), .p(50, 12)]), line: 0.6)
        pen.shape(.blob([.c(-18, -high * 0.8), .p(-6, -high * 1.45), .p(14, -high * 1.3), .c(22, -high * 0.6)]))
        pen.shape(.blob([.c(-6, high * 0.8), .p(4, high * 1.35), .c(16, high * 1.2), .p(16, high * 0.6)]))
        let body = Path.blob([
            .p(-46, 0), .p(-30, -high * 0.8), .p(-4, -high), .p(22, -high * 0.55), .p(36, 0), .p(22, high * 0.55),
            .p(-4, high), .p(-30, high * 0.8),
        ])
        let coat = pen.whole(0...2)
        pen.shape(body) {
            switch coat {
            case 0: scales(pen, high)
            case 1:
                for x in [-6.0, 8, 22] { pen.stroke(.curve([.p(x, -40), .p(x + 6, 0), .p(x, 40)]), line: 0.8) }
            default:
                for (x, y, radius) in [(2.0, -12.0, 5.0), (14, 2, 6), (0, 13, 4), (24, -8, 3.5)] {
                    pen.shape(.circle(x, y, radius), line: 0.7)
                }
            }
            pen.white(.ellipse(-34, 0, 22, 40))
            pen.stroke(.arc(-34, 0, 22, 40, from: -60, to: 60), line: 0.8)
        }
        pen.shape(.blob([.c(0, 4), .p(14, -4), .p(18, 6), .p(10, 14)]))
        pen.stroke(.lines([(8, 4), (14, 3)]), line: 0.6)
        pen.stroke(.lines([(8, 8), (13, 8)]), line: 0.6)
        sideFace(pen, x: -28, y: -5, size: 5.5)
        bubbles(pen, x: -58, y: -14)
    }

    private static func scales(_ pen: Pen, _ high: Double) {
        for column in 0..<5 {
            let x = -6 + Double(column) * 9
            for row in -4...4 {
                let y = Double(row) * 10 + (column % 2 == 0 ? 0 : 5)
                pen.stroke(.arc(x, y, 6, 5, from: 90, to: 270), line: 0.6)
            }
        }
    }

    /// One eye, a cheek and a smile that looks left.
    static func sideFace(_ pen: Pen, x: Double, y: Double, size: Double) {
        let face = Face(
            eyes: pen.pick([.round, .wide, .sparkling, .happy]),
            mouth: .smile,
            hasCheeks: false,
            eyeSize: size
        )
        pen.at(x, y) {
            face.drawEye(with: pen, side: 1, at: 0)
            pen.mark(.curve([.p(-13, size * 1.6), .p(-7, size * 2.5), .p(0, size * 2.2)]), width: 1.9)
            pen.stroke(.ellipse(6, size * 1.9, 3.6, 2.6), line: 0.55)
        }
    }

    static func bubbles(_ pen: Pen, x: Double, y: Double) {
        var place = Point(x, y)
        for _ in 0..<pen.whole(1...3) {
            let radius = pen.between(2.5, 5)
            pen.shape(.circle(place.x, place.y, radius), line: 0.7)
            place = place + Point(pen.between(-5, 5), -radius - pen.between(6, 9))
        }
    }

    static func whale(_ pen: Pen) {
        let body = Path.blob([
            .p(-56, -30), .p(-44, -56), .p(-10, -66), .p(22, -48), .p(40, -28), .c(50, -36), .p(46, -52), .c(34, -64),
            .p(54, -62), .c(58, -54),
            .p(66, -64), .c(84, -62), .p(72, -46), .p(62, -34), .p(52, -12), .p(20, 0), .p(-30, 0), .p(-52, -12),
        ])
        pen.shape(body) {
            let belly = Path.blob([.c(-70, -22), .p(-40, -18), .p(-10, -22), .p(14, -14), .c(28, 6), .c(-70, 12)])
            pen.shape(belly, line: 0.9)
            pen.inside(belly) {
                for step in 0..<(pen.level == .easy ? 3 : 6) {
                    let x = -48 + Double(step) * (pen.level == .easy ? 20 : 12)
                    pen.stroke(.curve([.p(x, -26), .p(x + 3, -10), .p(x + 8, 6)]), line: 0.7)
                }
            }
        }
        pen.shape(.blob([.c(-4, -20), .p(12, -18), .p(22, -4), .c(24, 8), .p(10, 4), .p(-2, -8)]))
        sideFace(pen, x: -38, y: -36, size: 5)
        // The fountain.
        if pen.chance(0.8) {
            pen.both(beside: -12) {
                pen.shape(
                    .blob([.c(0, -68), .p(5, -84), .p(16, -92), .p(24, -86), .c(26, -76), .p(17, -82), .p(9, -76)])
                )
            }
            for x in [-34.0, 10] where pen.chance(0.7) {
                pen.shape(.blob([.c(x, -76), .p(x + 3, -69), .p(x, -66), .p(x - 3, -69)]), line: 0.7)
            }
        }
    }

    static func turtle(_ pen: Pen) {
        pen.shape(.blob([.c(38, -12), .p(50, -12), .c(56, -6), .p(46, -4)]))
        pen.merged {
            pen.tube(.lines([(-18, -12), (-22, -6)]), width: 14)
            pen.tube(.lines([(24, -12), (28, -6)]), width: 14)
        }
        for x in [-26.0, -21, 24, 29] { pen.stroke(.arc(x, 0.5, 2.2, 3.2, from: 180, to: 360), line: 0.6) }
        pen.merged {
            pen.tube(.curve([.p(-28, -16), .p(-40, -24), .p(-46, -34)]), width: 14)
            pen.shape(.ellipse(-50, -42, 18, 16.5))
        }
        let shell = Path.blob([.c(-36, -14), .p(-28, -42), .p(2, -58), .p(32, -42), .c(42, -14), .p(2, -9)])
        let coat = pen.whole(0...2)
        pen.shape(shell) {
            switch coat {
            case 0:
                pen.shape(.polygon([(-10, -46), (14, -46), (22, -30), (2, -20), (-18, -30)], round: 3), line: 0.8)
                for line in [
                    [(-10.0, -46.0), (-16, -62)], [(14, -46), (22, -62)], [(22, -30), (46, -28)],
                    [(-18, -30), (-44, -28)], [(2, -20), (2, -4)],
                ] {
                    pen.stroke(.lines(line), line: 0.8)
                }
            case 1:
                for (x, y, r) in [
                    (-14.0, -32.0, 8.0), (6, -42, 8), (22, -28, 8), (2, -22, 6), (-24, -18, 4), (34, -17, 4),
                ] { pen.shape(.circle(x, y, r), line: 0.8) }
            default:
                pen.shape(.star(2, -34, 14, 7, round: 3), line: 0.8)
                pen.both(beside: 2) { pen.stroke(.curve([.p(17, -56), .p(22, -36), .p(18, -8)]), line: 0.8) }
            }
        }
        pen.stroke(.curve([.p(-35, -17), .p(3, -12), .p(41, -17)]), line: 0.8)
        var face = Face.thrown(by: pen)
        face.apart = 8
        face.drop = 10
        face.eyeSize = 3.8
        face.mouthWidth = 6
        face.hasCheeks = false
        pen.at(-53, -45) { face.draw(with: pen) }
    }

    static func octopus(_ pen: Pen) {
        let swing = pen.between(-3, 3)
        pen.merged {
            pen.both {
                pen.tube(.curve([.p(22, -38), .p(31, -20), .p(42, -6 + swing), .p(53, -14)]), width: 10.5)
                pen.tube(.curve([.p(9, -34), .p(10, -18), .p(16, -4), .p(24, -5 - swing)]), width: 10.5)
            }
            pen.shape(
                .blob([
                    .p(0, -92), .p(24, -82), .p(32, -58), .p(27, -36), .p(0, -30), .p(-27, -36), .p(-32, -58),
                    .p(-24, -82),
                ])
            )
        }
        pen.both {
            for (x, y) in [(32.0, -20.0), (39, -11), (10, -22), (13, -12)] { pen.stroke(.circle(x, y, 1.9), line: 0.6) }
        }
        for (x, y, r) in [(-14.0, -80.0, 3.5), (-5, -85, 2.5), (16, -78, 4.2)] {
            pen.shape(.ellipse(x, y, r * 1.2, r), line: 0.7)
        }
        var face = Face.thrown(by: pen, mouths: [.smile, .open, .small])
        face.eyeSize = 5.4
        face.apart = 13
        pen.at(0, -55) { face.draw(with: pen) }
    }

    static func crab(_ pen: Pen) {
        pen.both {
            for (x, y) in [(26.0, -16.0), (22, -10), (16, -6)] {
                pen.tube(.curve([.p(x, y - 6), .p(x + 14, y - 4), .p(x + 18, y + 6)]), width: 4.5)
            }
            pen.tube(.curve([.p(24, -26), .p(38, -32), .p(40, -44)]), width: 6)
            pen.at(42, -56, turn: 14) {
                pen.shape(
                    .blob([
                        .p(-4, 14), .p(-14, 0), .p(-10, -14), .c(-2, -20), .p(-2, -8), .c(2, -2), .p(4, -10),
                        .c(10, -18), .p(14, -4), .p(8, 12),
                    ])
                )
            }
            pen.tube(.lines([(10, -38), (11, -50)]), width: 4)
            pen.shape(.circle(11, -54, 8))
        }
        pen.shape(
            .blob([
                .p(0, -44), .p(22, -38), .p(34, -24), .p(22, -6), .p(0, -2), .p(-22, -6), .p(-34, -24), .p(-22, -38),
            ])
        )
        if pen.chance(0.5) {
            for (x, y) in [(-20.0, -30.0), (0, -36), (20, -30)] { pen.stroke(.circle(x, y, 2.2), line: 0.6) }
        } else {
            pen.stroke(.curve([.p(-18, -36), .p(0, -33), .p(18, -36)]), line: 0.7)
        }
        let face = Face(
            eyes: pen.pick([.round, .happy, .sparkling]),
            mouth: pen.pick([.smile, .open]),
            hasCheeks: true,
            apart: 11,
            drop: 34,
            eyeSize: 4.2,
            mouthWidth: 10
        )
        pen.at(0, -54) {
            face.drawEyes(with: pen)
            pen.at(0, 33) { face.drawMouth(with: pen) }
        }
        pen.both { pen.stroke(.ellipse(20, -19, 4.4, 3), line: 0.55) }
    }
}
