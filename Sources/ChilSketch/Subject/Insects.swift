/// The small ones.
enum Insects {
    static func butterfly(_ pen: Pen) {
        let (wide, drop) = (pen.between(38, 46), pen.between(20, 27))
        let coat = pen.whole(0...2)
        pen.at(0, -40, turn: pen.between(-14, 14)) {
            pen.both {
                let lower = Path.blob([
                    .c(2, 4), .p(wide * 0.55, 4), .p(wide * 0.86, drop * 0.9), .p(wide * 0.55, drop * 1.7),
                    .p(12, drop * 1.2),
                ])
                pen.shape(lower) {
                    if coat == 1 {
                        pen.stroke(
                            .blob([
                                .c(4, 8), .p(wide * 0.5, 12), .p(wide * 0.66, drop), .p(wide * 0.46, drop * 1.35),
                                .p(14, drop),
                            ]),
                            line: 0.7
                        )
                    }
                }
                let upper = Path.blob([
                    .c(2, 2), .p(10, -24), .p(wide * 0.7, -39), .p(wide, -24), .p(wide * 0.86, 2), .p(wide * 0.4, 9),
                ])
                pen.shape(upper) {
                    if coat == 1 {
                        pen.stroke(
                            .blob([
                                .c(6, -1), .p(14, -20), .p(wide * 0.66, -31), .p(wide * 0.84, -20), .p(wide * 0.72, -1),
                                .p(wide * 0.4, 3),
                            ]),
                            line: 0.7
                        )
                    }
                }
                switch coat {
                case 0:
                    pen.shape(.circle(wide * 0.6, -19, 8.5), line: 0.8)
                    pen.shape(.circle(wide * 0.6, -19, 4), line: 0.7)
                    pen.shape(.circle(wide * 0.52, drop * 0.95, 6), line: 0.8)
                case 1: pen.shape(.ellipse(wide * 0.55, -16, 6, 8, turn: 30), line: 0.7)
                default:
                    pen.shape(.heart(wide * 0.6, -18, 8), line: 0.8)
                    pen.shape(.circle(wide * 0.5, drop, 4.5), line: 0.8)
                    pen.shape(.circle(wide * 0.26, -10, 3), line: 0.7)
                }
                pen.stroke(.curve([.p(2, -27), .p(6, -40), .p(15, -46)]), line: 0.9)
                pen.shape(.circle(16, -47, 3.2), line: 0.9)
            }
            pen.shape(.blob([.p(0, -14), .p(6, 0), .p(5, 22), .p(0, 31), .p(-5, 22), .p(-6, 0)]))
            for y in [4.0, 12, 20] { pen.stroke(.curve([.p(-5.4, y), .p(0, y + 2), .p(5.4, y)]), line: 0.7) }
            pen.shape(.circle(0, -20, 11))
            var face = Face.thrown(by: pen, mouths: [.smile])
            face.apart = 4.4
            face.drop = 6
            face.eyeSize = 2.8
            face.mouthWidth = 4.4
            face.hasCheeks = false
            pen.at(0, -22) { face.draw(with: pen) }
        }
    }

    static func bee(_ pen: Pen) {
        pen.at(0, -36, turn: pen.between(-14, 10)) {
            pen.shape(.blob([.c(2, -18), .p(-10, -40), .p(2, -52), .p(14, -42)]))
            pen.shape(.blob([.c(8, -18), .p(12, -42), .p(28, -48), .p(34, -34), .p(22, -20)]))
            pen.shape(.polygon([(36, -5), (49, 0), (36, 5)], round: 1))
            let body = Path.blob([
                .p(-38, 0), .p(-26, -21), .p(2, -25), .p(28, -17), .p(40, 0), .p(28, 17), .p(2, 25), .p(-26, 21),
            ])
            pen.shape(body) {
                for x in [-4.0, 10, 24] {
                    pen.shape(
                        .blob([
                            .c(x - 3, -30), .p(x + 1, 0), .c(x - 3, 30), .c(x + 4, 30), .p(x + 8, 0), .c(x + 4, -30),
                        ]),
                        line: 0.8
                    )
                }
            }
            pen.stroke(.curve([.p(-30, -17), .p(-36, -30), .p(-44, -32)]), line: 0.9)
            pen.stroke(.curve([.p(-22, -21), .p(-24, -34), .p(-31, -39)]), line: 0.9)
            pen.shape(.circle(-45, -32, 3), line: 0.9)
            pen.shape(.circle(-32, -40, 3), line: 0.9)
            var face = Face.thrown(by: pen)
            face.apart = 8
            face.drop = 10
            face.mouthWidth = 6
            face.eyeSize = 4
            face.hasCheeks = false
            pen.at(-23, -4) { face.draw(with: pen) }
        }
    }

    static func ladybug(_ pen: Pen) {
        for x in [-18.0, 2, 22] { pen.tube(.lines([(x, -10), (x - 2, -3)]), width: 5) }
        pen.stroke(.curve([.p(-36, -38), .p(-38, -52), .p(-46, -56)]))
        pen.stroke(.curve([.p(-28, -42), .p(-26, -56), .p(-30, -62)]))
        pen.shape(.circle(-47, -57, 3.4))
        pen.shape(.circle(-30, -63, 3.4))
        pen.shape(.circle(-32, -25, 19))
        let shell = Path.blob([.c(-26, -8), .p(-22, -38), .p(6, -52), .p(34, -38), .c(42, -8), .p(8, -5)])
        pen.shape(shell) {
            pen.stroke(.curve([.p(2, -56), .p(14, -32), .p(14, 0)]), line: 0.9)
            for (x, y, r) in [(-8.0, -36.0, 5.5), (0, -18, 5), (22, -38, 5.5), (28, -19, 5.5), (-16, -16, 4)] {
                pen.shape(.circle(x, y, r), line: 0.8)
            }
        }
        var face = Face.thrown(by: pen)
        face.apart = 7.5
        face.drop = 10
        face.mouthWidth = 6.5
        face.eyeSize = 4
        face.hasCheeks = false
        pen.at(-36, -28) { face.draw(with: pen) }
    }

    static func snail(_ pen: Pen) {
        pen.tube(.curve([.p(-36, -40), .p(-38, -54)]), width: 4.5)
        pen.tube(.curve([.p(-26, -42), .p(-22, -55)]), width: 4.5)
        pen.shape(.circle(-39, -59, 7))
        pen.shape(.circle(-21, -60, 7))
        pen.shape(
            .blob([
                .p(-44, -34), .p(-32, -44), .p(-12, -35), .p(0, -14), .p(20, -10), .p(46, -10), .c(60, 0), .p(20, 0),
                .p(-28, 0), .p(-42, -10),
            ])
        )
        let shell = Path.circle(14, -38, 31)
        let coat = pen.whole(0...2)
        pen.shape(shell) {
            guard coat == 1, pen.level != .easy else { return }
            for angle in stride(from: 0.0, to: 360, by: 40) {
                let (near, far) = (Point.polar(angle, 21), Point.polar(angle + 8, 34))
                pen.stroke(.lines([(14 + near.x, -38 + near.y), (14 + far.x, -38 + far.y)]), line: 0.7)
            }
        }
        var spiral: [Knot] = []
        for step in 0...22 {
            let angle = 140 + Double(step) * 40
            let out = Point.polar(angle, 28 - Double(step) * 1.15)
            spiral.append(.p(14 + out.x, -38 + out.y))
        }
        pen.stroke(.curve(spiral), line: 0.9)
        if coat == 2 {
            pen.shape(.polygon([(3, -66), (12, -92), (24, -66)], round: 2)) {
                pen.stroke(.lines([(0, -76), (30, -76)]), line: 0.7)
            }
            pen.shape(.circle(12, -94, 4.5), line: 0.9)
        }
        let face = Face(
            eyes: pen.pick([.round, .happy]),
            mouth: .smile,
            hasCheeks: true,
            apart: 9,
            drop: 0,
            eyeSize: 3.8
        )
        pen.at(-30, -59.5) { face.drawEyes(with: pen) }
        pen.mark(.curve([.p(-40, -24), .p(-33, -19), .p(-25, -24)]), width: 1.9)
        pen.stroke(.ellipse(-24, -29, 3.2, 2.2), line: 0.55)
    }

    static func frog(_ pen: Pen) {
        pen.both {
            pen.shape(.blob([.p(20, -28), .p(34, -26), .p(38, -12), .p(30, -2), .p(18, -6)]))
            pen.shape(.blob([.c(16, -3), .p(26, -8), .p(40, -5), .c(48, 0), .p(30, 1)]))
        }
        pen.shape(.ellipse(0, -24, 25, 23))
        pen.shape(.ellipse(0, -20, 15, 17), line: 0.8)
        pen.both {
            pen.tube(.curve([.p(17, -28), .p(15, -14), .p(12, -7)]), width: 7)
            pen.shape(.blob([.p(6, -6), .p(13, -8), .p(20, -5), .c(23, 0), .p(12, 0.5), .c(2, 0)]))
        }
        pen.at(0, -58, turn: pen.between(-5, 5)) {
            pen.merged {
                pen.both { pen.shape(.circle(17, -19, 11.5)) }
                pen.shape(.ellipse(0, 0, 34, 22))
            }
            let face = Face(
                eyes: pen.pick([.round, .wide, .happy, .sparkling]),
                mouth: pen.pick([.smile, .open]),
                hasCheeks: false,
                apart: 17,
                eyeSize: 5.4,
                mouthWidth: 17
            )
            pen.at(0, -19) { face.drawEyes(with: pen) }
            pen.at(0, 4) { face.drawMouth(with: pen) }
            pen.both {
                pen.stroke(.ellipse(25, 4, 4.4, 3), line: 0.55)
                pen.black(.circle(2.6, -6, 1))
            }
            if pen.chance(0.4) {
                pen.shape(
                    .polygon([(-13, -20), (-13, -36), (-6, -29), (0, -38), (6, -29), (13, -36), (13, -20)], round: 1.2)
                )
            }
        }
    }
}
