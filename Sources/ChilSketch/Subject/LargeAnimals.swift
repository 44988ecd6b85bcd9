/// Animals of the land that are a shape of their own.
enum LargeAnimals {
    static func elephant(_ pen: Pen) {
        let isUp = pen.chance(0.55)
        pen.tube(.curve([.p(38, -40), .p(48, -32), .p(47, -20)]), width: 4)
        pen.shape(.ellipse(48, -17, 3.5, 5), line: 0.8)
        pen.merged {
            pen.tube(.lines([(-12, -24), (-12, -8)]), width: 14)
            pen.tube(.lines([(18, -24), (18, -8)]), width: 14)
        }
        pen.merged {
            pen.tube(.lines([(-24, -24), (-24, -8)]), width: 16)
            pen.tube(.lines([(31, -24), (31, -8)]), width: 16)
            pen.shape(
                .blob([
                    .p(-34, -36), .p(-22, -56), .p(6, -64), .p(34, -56), .p(42, -34), .p(34, -18), .p(4, -15),
                    .p(-28, -18),
                ])
            )
        }
        for x in [-29.0, -24, -19, 26, 31, 36] {
            pen.stroke(.arc(x, -1, 2.4, 3.6, from: 180, to: 360), line: 0.6)
        }
        if pen.level == .detailed || pen.chance(0.3) { blanket(pen) }
        pen.at(-24, -58, turn: pen.between(-4, 4)) {
            let ear = Path.blob([.p(14, -20), .p(34, -28), .p(46, -10), .p(40, 14), .p(24, 22), .p(14, 10)])
            pen.shape(ear)
            pen.stroke(.curve([.p(22, -16), .p(33, -18), .p(38, -6), .p(34, 9), .p(25, 14)]), line: 0.7)
            let trunk: Path =
                isUp
                ? .curve([.p(-15, 10), .p(-30, 18), .p(-42, 8), .p(-42, -10), .p(-50, -18)])
                : .curve([.p(-13, 8), .p(-22, 22), .p(-24, 36), .p(-30, 44), .p(-39, 42)])
            pen.merged {
                pen.tube(trunk, width: 13)
                pen.shape(
                    .blob([
                        .p(0, -28), .p(20, -20), .p(26, 0), .p(16, 20), .p(-6, 24), .p(-22, 12), .p(-24, -8),
                        .p(-16, -22),
                    ])
                )
            }
            for step in 0..<3 {
                let y = Double(step) * 6.0
                if isUp {
                    pen.stroke(.curve([.p(-36.5 - y * 0.05, 4 - y), .p(-42, 3 - y), .p(-47.5, 4 - y)]), line: 0.55)
                } else {
                    pen.stroke(
                        .curve([.p(-28 + y * 0.1, 30 - y), .p(-23, 31 - y), .p(-18 + y * 0.2, 29 - y)]),
                        line: 0.55
                    )
                }
            }
            var face = Face.thrown(by: pen)
            face.apart = 10
            face.drop = 15
            face.mouthWidth = 6
            face.hasCheeks = true
            pen.at(-2, -5) { face.draw(with: pen) }
        }
        if isUp, pen.chance(0.6) {
            for drop in [(-82.0, -86.0), (-74, -95), (-88, -74)] {
                pen.shape(
                    .blob([
                        .c(drop.0, drop.1 - 6), .p(drop.0 + 3.6, drop.1 + 1), .p(drop.0, drop.1 + 4),
                        .p(drop.0 - 3.6, drop.1 + 1),
                    ]),
                    line: 0.7
                )
            }
        }
    }

    private static func blanket(_ pen: Pen) {
        let cloth = Path.blob([
            .c(2, -64), .p(16, -63), .c(30, -58), .p(33, -44), .c(32, -32), .p(17, -29), .c(2, -32), .p(1, -48),
        ])
        pen.shape(cloth) {
            pen.stroke(.curve([.p(0, -38), .p(17, -35), .p(34, -38)]), line: 0.7)
        }
        pen.shape(.star(17, -48, 7, 3.4, round: 1.4), line: 0.7)
    }

    static func giraffe(_ pen: Pen) {
        let lean = pen.between(-5, 3)
        pen.tube(.curve([.p(28, -42), .p(36, -36), .p(37, -26)]), width: 3)
        pen.shape(.ellipse(37, -23, 3, 4.5), line: 0.8)
        pen.merged {
            pen.tube(.lines([(-4, -28), (-4, -6)]), width: 8)
            pen.tube(.lines([(14, -28), (14, -6)]), width: 8)
        }
        let neck = Path.curve([.p(-12, -44), .p(-17, -60), .p(-20 + lean, -84)])
        let body = Path.blob([
            .p(-20, -42), .p(-8, -52), .p(12, -50), .p(28, -44), .p(30, -30), .p(20, -22), .p(-8, -22), .p(-20, -30),
        ])
        pen.merged {
            pen.tube(.lines([(-14, -28), (-14, -5.5)]), width: 9.5)
            pen.tube(.lines([(23, -30), (23, -5.5)]), width: 9.5)
            pen.tube(neck, width: 15)
            pen.shape(body)
        }
        for (x, y, size) in [
            (-8.0, -38.0, 5.5), (6, -42, 6), (19, -36, 5.5), (6, -28, 4.2), (-14, -54, 4), (-17, -66, 4.4),
            (-19 + lean * 0.7, -77, 3.6),
        ] {
            let turn = pen.between(0, 60)
            let corners = (0..<5).map { corner -> (Double, Double) in
                let out = Point.polar(Double(corner) * 72 + turn, size)
                return (x + out.x, y + out.y)
            }
            pen.shape(.polygon(corners, round: 2), line: 0.7)
        }
        pen.at(-22 + lean, -96, turn: pen.between(-6, 6)) {
            pen.both {
                pen.shape(.blob([.p(11, -6), .p(20, -12), .c(29, -12), .p(22, -2), .p(12, 0)]))
                pen.tube(.lines([(5, -14), (6.5, -24)]), width: 3.4)
                pen.shape(.circle(6.8, -25.5, 3.6), line: 0.9)
            }
            pen.shape(
                .blob([
                    .p(0, -18), .p(14, -12), .p(15, 2), .p(13, 13), .p(0, 20), .p(-13, 13), .p(-15, 2), .p(-14, -12),
                ])
            )
            pen.stroke(.arc(0, 14, 15, 10, from: 205, to: 335), line: 0.7)
            pen.both { pen.black(.ellipse(4.5, 9, 1.3, 1.9)) }
            var face = Face.thrown(by: pen, mouths: [.smile])
            face.apart = 7.5
            face.drop = 16
            face.eyeSize = 3.6
            face.mouthWidth = 5
            face.hasCheeks = false
            pen.at(0, -4) { face.draw(with: pen) }
        }
    }

    static func unicorn(_ pen: Pen) {
        equine(pen, isUnicorn: true)
    }

    static func horse(_ pen: Pen) {
        equine(pen, isUnicorn: false)
    }

    private static func equine(_ pen: Pen, isUnicorn: Bool) {
        let lift = pen.chance(0.5)
        // The tail, in locks.
        pen.shape(.blob([.c(32, -48), .p(46, -52), .p(55, -38), .p(52, -20), .c(58, -8), .p(44, -12), .p(40, -28)]))
        pen.stroke(.curve([.p(37, -44), .p(46, -36), .p(46, -20)]), line: 0.7)
        pen.merged {
            pen.tube(lift ? .lines([(-12, -26), (-24, -20), (-20, -9)]) : .lines([(-9, -26), (-10, -7)]), width: 9.5)
            pen.tube(.lines([(18, -26), (17, -7)]), width: 9.5)
        }
        pen.merged {
            pen.tube(.lines([(-18, -26), (-19, -6)]), width: 10.5)
            pen.tube(.lines([(28, -28), (29, -6)]), width: 10.5)
            pen.tube(.curve([.p(-16, -42), .p(-22, -58), .p(-26, -70)]), width: 22)
            pen.shape(
                .blob([
                    .p(-26, -42), .p(-12, -52), .p(10, -48), .p(32, -52), .p(37, -34), .p(30, -23), .p(4, -20),
                    .p(-22, -24),
                ])
            )
        }
        for x in [-19.0, 29] { pen.stroke(.lines([(x - 5, -6), (x + 5, -6)]), line: 0.7) }
        if pen.chance(0.6) {
            if isUnicorn {
                pen.shape(.star(22, -37, 7, 3.4, round: 1.4), line: 0.7)
            } else {
                pen.shape(.ellipse(14, -36, 8, 6), line: 0.7)
            }
        }
        pen.at(-28, -76, turn: pen.between(-6, 4)) {
            // The mane falls down behind the head.
            pen.shape(
                .blob([.p(2, -24), .p(20, -22), .p(27, -6), .c(35, 4), .p(28, 14), .c(34, 26), .p(20, 30), .p(8, 20)])
            )
            pen.stroke(.curve([.p(14, -14), .p(22, -2), .p(18, 10)]), line: 0.7)
            pen.stroke(.curve([.p(18, 12), .p(24, 20), .p(20, 26)]), line: 0.7)
            pen.shape(.blob([.p(6, -20), .c(16, -37), .p(20, -16)]))
            pen.shape(.blob([.p(-16, -18), .c(-15, -36), .p(-4, -22)]))
            pen.shape(
                .blob([
                    .p(0, -24), .p(18, -14), .p(20, 6), .p(8, 20), .p(-14, 24), .p(-25, 14), .p(-22, -2), .p(-18, -16),
                ])
            )
            pen.stroke(.curve([.p(-24, 6), .p(-10, 4), .p(-2, 12), .p(2, 22)]), line: 0.7)
            pen.black(.ellipse(-19, 11, 1.4, 2))
            pen.mark(.curve([.p(-17, 18), .p(-12, 20), .p(-7, 17)]), width: 1.8)
            var face = Face.thrown(by: pen, mouths: [.small])
            face.apart = 10
            face.hasCheeks = true
            let eyesOnly = face
            pen.at(-2, -5) { eyesOnly.drawEyes(with: pen) }
            if isUnicorn {
                let horn = Path.polygon([(-8, -21), (2, -22), (-8, -50)], round: 2)
                pen.shape(horn) {
                    for step in 0..<4 {
                        let y = -24 - Double(step) * 6.5
                        pen.stroke(.lines([(-14, y), (6, y - 5)]), line: 0.7)
                    }
                }
            }
            pen.shape(.blob([.p(-12, -20), .p(-2, -28), .p(12, -24), .p(10, -15), .c(4, -9), .p(0, -16), .c(-8, -11)]))
        }
    }
}
