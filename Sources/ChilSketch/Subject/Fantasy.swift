/// Dinosaurs and dragons, the friendly kind.
enum Fantasy {
    static func dinosaur(_ pen: Pen) {
        if pen.chance(0.5) { upright(pen, hasWings: false) } else { longNeck(pen) }
    }

    static func dragon(_ pen: Pen) {
        upright(pen, hasWings: true)
    }

    /// Stands on two feet, its tail along the ground.
    private static func upright(_ pen: Pen, hasWings: Bool) {
        if hasWings {
            pen.both {
                let wing = Path.blob([
                    .c(12, -46), .p(26, -70), .c(52, -80), .p(49, -64), .c(55, -52), .p(46, -48), .c(44, -36),
                    .p(32, -40), .c(14, -34),
                ])
                pen.shape(wing)
                pen.stroke(.curve([.p(16, -44), .p(30, -58), .p(50, -77)]), line: 0.7)
                pen.stroke(.curve([.p(18, -42), .p(34, -48), .p(53, -53)]), line: 0.7)
            }
        }
        // Spikes along the back and the tail, behind the body.
        let spine: [(Double, Double, Double)] = [(24, -30, 40), (31, -20, 40), (40, -13, 30), (50, -12, 10)]
        for (x, y, turn) in spine {
            pen.at(x, y, turn: turn) { pen.shape(.polygon([(-5.5, 3), (0, -10), (5.5, 3)], round: 2)) }
        }
        pen.merged {
            pen.shape(
                .blob([
                    .p(0, -54), .p(18, -44), .p(26, -26), .p(40, -8), .p(56, -10), .c(66, -20), .p(62, -4), .p(46, 0),
                    .p(0, 0), .p(-20, -6), .p(-24, -24), .p(-16, -44),
                ])
            )
            pen.tube(.lines([(-12, -6), (-15, -6)]), width: 13)
            pen.tube(.lines([(12, -6), (15, -6)]), width: 13)
        }
        let belly = Path.blob([.p(-12, -44), .p(8, -44), .p(15, -26), .p(12, -8), .p(0, -4), .p(-14, -8), .p(-17, -26)])
        pen.shape(belly, line: 0.8) {
            for step in 0..<4 {
                let y = -36 + Double(step) * 8.5
                pen.stroke(.curve([.p(-22, y), .p(0, y + 3.5), .p(20, y)]), line: 0.7)
            }
        }
        let raised = pen.chance(0.5)
        pen.tube(.curve([.p(-17, -38), .p(-26, -36), .p(-30, raised ? -44 : -29)]), width: 9)
        pen.tube(.curve([.p(16, -38), .p(25, -34), .p(29, raised ? -30 : -42)]), width: 9)
        pen.both {
            pen.shape(.ellipse(15, -5, 11, 6.5))
            for toe in [10.0, 15, 20] { pen.stroke(.arc(toe, 0.5, 2.4, 3.4, from: 180, to: 360), line: 0.6) }
        }
        pen.at(0, -68, turn: pen.between(-6, 6)) {
            if hasWings {
                pen.both {
                    pen.shape(.blob([.p(8, -20), .p(13, -34), .c(24, -40), .p(21, -26), .p(18, -16)]))
                    pen.shape(.blob([.p(24, -6), .c(38, -14), .p(34, 0), .c(38, 6), .p(24, 8)]))
                }
            } else {
                for (x, y, turn) in [(-10.0, -24.0, -20.0), (3, -26, 4), (15, -21, 32)] {
                    pen.at(x, y, turn: turn) { pen.shape(.polygon([(-6, 5), (0, -9), (6, 5)], round: 2)) }
                }
            }
            pen.shape(
                .blob([
                    .p(0, -25), .p(21, -19), .p(28, -2), .p(30, 10), .p(18, 21), .p(0, 23), .p(-18, 21), .p(-30, 10),
                    .p(-28, -2), .p(-21, -19),
                ])
            )
            pen.both { pen.black(.ellipse(5, 5.5, 1.3, 1.8)) }
            var face = Face.thrown(by: pen, mouths: [.smile, .open])
            face.apart = 13
            face.drop = 15
            face.mouthWidth = 12
            pen.at(0, -5) { face.draw(with: pen) }
            if face.mouth == .smile, pen.chance(0.6) {
                pen.both { pen.shape(.polygon([(5, 15.5), (9, 15), (7.2, 19.5)], round: 0.6), line: 0.6) }
            }
        }
        if hasWings, pen.chance(0.35) {
            pen.at(-46, -52) {
                pen.shape(
                    .blob([
                        .c(14, 0), .p(0, -9), .c(-16, -10), .p(-9, -3), .c(-20, 2), .p(-8, 4), .c(-14, 12), .p(2, 8),
                    ])
                )
                pen.stroke(.curve([.c(8, 0), .p(0, -3), .c(-5, 0), .p(1, 3), .c(8, 0)]), line: 0.7)
            }
        }
    }

    /// The one with the long neck.
    private static func longNeck(_ pen: Pen) {
        let reach = pen.between(-6, 4)
        pen.merged {
            pen.tube(.lines([(-8, -20), (-9, -7)]), width: 12)
            pen.tube(.lines([(18, -20), (17, -7)]), width: 12)
        }
        let body = Path.blob([
            .p(-28, -38), .p(-6, -48), .p(22, -44), .p(40, -26), .p(60, -18), .c(72, -24), .p(62, -8), .p(40, -10),
            .p(26, -14), .p(0, -13), .p(-24, -16),
        ])
        pen.merged {
            pen.tube(.lines([(-20, -20), (-21, -7)]), width: 14)
            pen.tube(.lines([(28, -22), (29, -7)]), width: 14)
            pen.tube(.curve([.p(-18, -36), .p(-29, -52), .p(-30 + reach, -76)]), width: 17)
            pen.shape(body)
        }
        for (x, y, size) in [
            (-2.0, -38.0, 5.0), (12, -34, 6.5), (26, -30, 4.5), (0, -26, 3.6), (-26, -52, 3.8),
            (-29 + reach * 0.5, -64, 3),
        ] {
            pen.shape(.ellipse(x, y, size * 1.15, size), line: 0.7)
        }
        for x in [-25.0, -20, -15.5, 24, 29, 34] { pen.stroke(.arc(x, -0.5, 2.2, 3.2, from: 180, to: 360), line: 0.6) }
        pen.at(-34 + reach, -86, turn: pen.between(-6, 6)) {
            pen.shape(
                .blob([
                    .p(2, -18), .p(20, -12), .p(24, 2), .p(16, 14), .p(-6, 17), .p(-24, 12), .p(-27, 0), .p(-18, -12),
                ])
            )
            pen.black(.ellipse(-21, 1, 1.2, 1.7))
            var face = Face.thrown(by: pen)
            face.apart = 10.5
            face.drop = 12
            face.mouthWidth = 8
            pen.at(-2, -3) { face.draw(with: pen) }
        }
        if pen.chance(0.4) { pen.at(-60 + reach, -72, turn: -30) { leafTwig(pen) } }
    }

    private static func leafTwig(_ pen: Pen) {
        pen.stroke(.curve([.p(14, 2), .p(0, 0), .p(-12, 4)]), line: 0.9)
        for (x, y, turn) in [(-12.0, 4.0, 200.0), (-4, 1, 120), (-3, 0, 250)] {
            pen.at(x, y, turn: turn) { pen.shape(.blob([.c(0, 0), .p(6, -4.5), .c(15, 0), .p(6, 4.5)]), line: 0.7) }
        }
    }
}
