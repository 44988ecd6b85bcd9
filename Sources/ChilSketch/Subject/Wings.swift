/// What has wings.
enum Wings {
    static func bird(_ pen: Pen) {
        let isFlying = pen.chance(0.4)
        pen.shape(.blob([.c(24, -26), .p(42, -34), .c(56, -34), .p(50, -26), .c(54, -20), .p(40, -16), .c(24, -16)]))
        if isFlying {
            pen.shape(.blob([.c(0, -44), .p(10, -66), .c(26, -76), .p(28, -58), .c(22, -34)]))
        } else {
            pen.both(beside: 4) { leg(pen, x: 6) }
        }
        pen.shape(
            .blob([
                .p(-34, -50), .p(-22, -64), .p(-4, -62), .p(8, -46), .p(26, -34), .p(30, -22), .p(14, -10),
                .p(-12, -10), .p(-28, -22),
            ])
        )
        let belly = Path.curve([.p(-30, -36), .p(-16, -32), .p(-2, -22), .p(2, -9)])
        pen.stroke(belly, line: 0.7)
        if isFlying {
            pen.shape(
                .blob([
                    .c(-8, -34), .p(-3, -62), .p(14, -84), .c(36, -94), .p(34, -78), .c(33, -74), .p(34, -64),
                    .c(28, -59), .p(26, -46), .c(14, -28),
                ])
            )
            pen.stroke(.curve([.p(6, -44), .p(12, -60), .p(22, -74)]), line: 0.7)
            pen.stroke(.curve([.p(12, -38), .p(18, -50), .p(24, -57)]), line: 0.7)
        } else {
            pen.shape(.blob([.c(-6, -38), .p(10, -40), .p(28, -26), .c(36, -16), .p(18, -14), .p(2, -20)]))
            pen.stroke(.curve([.p(8, -22), .p(16, -25), .p(24, -22)]), line: 0.7)
            pen.stroke(.curve([.p(6, -30), .p(14, -33), .p(22, -28)]), line: 0.7)
        }
        pen.shape(.polygon([(-31, -56), (-46, -49), (-32, -44)], round: 1.5))
        pen.stroke(.lines([(-44, -49.5), (-34, -50)]), line: 0.6)
        let face = Face(
            eyes: pen.pick([.round, .wide, .sparkling, .happy]),
            mouth: .small,
            hasCheeks: false,
            eyeSize: 4.6
        )
        pen.at(-20, -52) { face.drawEye(with: pen, side: 1, at: 0) }
        pen.stroke(.ellipse(-17, -42, 3.8, 2.7), line: 0.55)
        if pen.chance(0.5) {
            pen.stroke(.curve([.p(-20, -64), .p(-22, -71), .p(-28, -73)]), line: 0.8)
            pen.stroke(.curve([.p(-16, -64), .p(-15, -72), .p(-10, -76)]), line: 0.8)
        }
    }

    private static func leg(_ pen: Pen, x: Double) {
        pen.stroke(.lines([(x, -10), (x, 0), (x - 5, 0)]))
        pen.stroke(.lines([(x, 0), (x + 5, 0)]))
    }

    static func owl(_ pen: Pen) {
        let lean = pen.between(-4, 4)
        pen.at(0, 0, turn: lean) {
            pen.both { pen.shape(.blob([.p(10, -76), .p(20, -88), .c(30, -96), .p(31, -78), .p(28, -66)])) }
            pen.shape(
                .blob([
                    .p(0, -84), .p(24, -80), .p(32, -58), .p(31, -26), .p(18, -6), .p(0, -3), .p(-18, -6), .p(-31, -26),
                    .p(-32, -58), .p(-24, -80),
                ])
            )
            let belly = Path.ellipse(0, -26, 19, 21)
            pen.shape(belly, line: 0.8) {
                for row in 0..<5 {
                    for column in -2...2 {
                        let x = Double(column) * 10 + (row % 2 == 0 ? 0 : 5)
                        pen.stroke(.arc(x, -42 + Double(row) * 8, 5, 5, from: 0, to: 180), line: 0.6)
                    }
                }
            }
            pen.both {
                pen.shape(.blob([.c(27, -52), .p(38, -38), .p(36, -20), .c(26, -8), .p(22, -24), .p(23, -40)]))
                pen.shape(.circle(13, -62, 14))
                pen.shape(.ellipse(8, -3, 7, 4))
            }
            let face = Face(
                eyes: pen.pick([.round, .wide, .happy, .sparkling, .wink]),
                mouth: .small,
                hasCheeks: false,
                apart: 13,
                eyeSize: 6
            )
            pen.at(0, -62) { face.drawEyes(with: pen) }
            pen.shape(.polygon([(-5, -55), (5, -55), (0, -45)], round: 1.5))
        }
        if pen.chance(0.6) { pen.tube(.curve([.p(-48, 2), .p(0, 4), .p(48, 1)]), width: 6) }
    }

    static func penguin(_ pen: Pen) {
        let raised = pen.chance(0.5)
        pen.both { pen.shape(.ellipse(13, -3, 13, 5.5)) }
        pen.shape(.blob([.c(-24, -54), .p(-36, -38), .p(-40, -22), .c(-34, -18), .p(-26, -28)]))
        if raised {
            pen.shape(.blob([.c(22, -54), .p(38, -62), .p(46, -76), .c(50, -68), .p(44, -50), .p(26, -36)]))
        } else {
            pen.shape(.blob([.c(24, -54), .p(36, -38), .p(40, -22), .c(34, -18), .p(26, -28)]))
        }
        pen.shape(
            .blob([
                .p(0, -96), .p(22, -86), .p(28, -62), .p(30, -30), .p(20, -7), .p(0, -3), .p(-20, -7), .p(-30, -30),
                .p(-28, -62), .p(-22, -86),
            ])
        )
        pen.shape(
            .blob([
                .c(0, -78), .p(14, -84), .p(22, -68), .p(16, -52), .p(22, -32), .p(14, -10), .p(0, -7), .p(-14, -10),
                .p(-22, -32), .p(-16, -52), .p(-22, -68), .p(-14, -84),
            ]),
            line: 0.85
        )
        var face = Face.thrown(by: pen)
        face.apart = 10.5
        pen.at(0, -70) {
            face.drawEyes(with: pen)
            pen.both { pen.stroke(.ellipse(15, 9, 3.4, 2.4), line: 0.55) }
            pen.shape(.blob([.c(-7.5, 5), .p(0, 2.5), .c(7.5, 5), .p(0, 11)]))
        }
        if pen.chance(0.55) {
            pen.shape(.blob([.p(-25, -53), .p(0, -47), .p(25, -53), .p(26, -45), .p(0, -39), .p(-26, -45)]))
            pen.shape(.polygon([(8, -42), (18, -44), (20, -24), (10, -22)], round: 2))
            for y in [-36.0, -30] { pen.stroke(.lines([(9, y), (19, y - 2)]), line: 0.6) }
        }
    }

    static func duck(_ pen: Pen) {
        pen.both(beside: 2) {
            pen.stroke(.lines([(8, -12), (8, -1)]))
            pen.shape(.blob([.c(8, -4), .p(14, 0), .c(4, 1), .p(0, 1), .c(0, -2)]), line: 0.8)
        }
        pen.merged {
            pen.shape(
                .blob([
                    .p(-22, -34), .p(0, -40), .p(22, -38), .c(44, -50), .p(42, -24), .p(24, -8), .p(-6, -6),
                    .p(-26, -16),
                ])
            )
            pen.shape(.ellipse(-16, -58, 22, 21))
            pen.tube(.lines([(-16, -50), (-12, -34)]), width: 24)
        }
        pen.shape(.blob([.c(-2, -30), .p(14, -34), .p(28, -28), .c(34, -18), .p(18, -13), .p(4, -17)]))
        pen.stroke(.curve([.p(12, -19), .p(20, -20), .p(27, -18)]), line: 0.6)
        pen.shape(.blob([.c(-36, -58), .p(-46, -58), .c(-54, -53), .p(-46, -49), .p(-36, -49)]))
        pen.stroke(.curve([.p(-52, -53), .p(-45, -54), .p(-38, -53)]), line: 0.6)
        let face = Face(
            eyes: pen.pick([.round, .wide, .sparkling, .happy]),
            mouth: .small,
            hasCheeks: false,
            eyeSize: 4.4
        )
        pen.at(-22, -61) { face.drawEye(with: pen, side: 1, at: 0) }
        pen.stroke(.ellipse(-18, -50, 3.8, 2.7), line: 0.55)
        if pen.chance(0.35) {
            pen.shape(.polygon([(-26, -76), (-15, -103), (-4, -74)], round: 2)) {
                for y in [-84.0, -92] { pen.stroke(.lines([(-30, y), (0, y + 3)]), line: 0.7) }
            }
            pen.shape(.circle(-15, -104, 4.5), line: 0.9)
        } else {
            pen.stroke(.curve([.p(-15, -78), .p(-12, -86), .p(-5, -86)]), line: 0.8)
            pen.stroke(.curve([.p(-18, -78), .p(-20, -86), .p(-27, -85)]), line: 0.8)
        }
        if pen.chance(0.3) { pen.at(-8, -40) { Extras.bow(with: pen) } }
    }
}
