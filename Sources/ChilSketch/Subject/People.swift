/// Who is in the picture.
enum People {
    enum Hair: CaseIterable { case short, bob, pigtails, long, curls }

    static func child(_ pen: Pen) {
        let isInDress = pen.chance(0.5)
        let hair: Hair = isInDress ? pen.pick([.bob, .pigtails, .long]) : pen.pick([.short, .curls, .short, .bob])
        backHair(pen, hair)
        let waves = pen.chance(0.6)
        let left: Path = .curve([.p(-12, -46), .p(-22, -38), .p(-27, -29)])
        let right: Path =
            waves ? .curve([.p(12, -46), .p(24, -50), .p(31, -62)]) : .curve([.p(12, -46), .p(22, -38), .p(27, -29)])
        legs(pen)
        pen.tube(left, width: 7.5)
        pen.tube(right, width: 7.5)
        if isInDress {
            dress(pen, hem: -17, half: 22)
        } else {
            pen.shape(
                .blob([.c(-14, -28), .c(-14, -16), .c(-2, -16), .p(0, -20), .c(2, -16), .c(14, -16), .c(14, -28)])
            )
            let shirt = Path.blob([.p(-9, -51), .p(9, -51), .p(15, -44), .c(14.5, -26), .c(-14.5, -26), .p(-15, -44)])
            pen.shape(shirt) {
                switch pen.whole(0...2) {
                case 0: for y in [-44.0, -38, -32] { pen.stroke(.lines([(-20, y), (20, y)]), line: 0.7) }
                case 1: pen.shape(.star(0, -37, 7, 3.5, round: 1), line: 0.75)
                default: pen.shape(.heart(0, -37, 5.5), line: 0.75)
                }
            }
        }
        if pen.chance(0.5) { pen.at(-28, -26) { Extras.held(with: pen) } }
        head(pen, hair)
    }

    static func princess(_ pen: Pen) {
        let hair: Hair = pen.pick([.long, .long, .pigtails, .bob])
        backHair(pen, hair)
        pen.tube(.curve([.p(-11, -46), .p(-23, -38), .p(-29, -28)]), width: 7)
        let hasWand = pen.chance(0.5)
        pen.tube(
            hasWand
                ? .curve([.p(11, -46), .p(25, -44), .p(32, -54)]) : .curve([.p(11, -46), .p(23, -38), .p(29, -28)]),
            width: 7
        )
        if hasWand {
            pen.stroke(.lines([(30, -46), (39, -70)]), line: 1)
            pen.shape(.star(41, -75, 9.5, 4.8, round: 1.4))
        }
        dress(pen, hem: 0, half: 37)
        pen.both { pen.shape(.ellipse(12, -46, 6.5, 5.5), line: 0.95) }
        head(pen, hair)
        pen.at(0, -94, turn: pen.between(-6, 6)) {
            pen.shape(
                .polygon([(-15, 4), (-18, -13), (-8.5, -5), (0, -17), (8.5, -5), (18, -13), (15, 4)], round: 1.2)
            )
            for (x, y) in [(-18.0, -14.5), (0, -18.5), (18, -14.5)] { pen.shape(.circle(x, y, 2.6), line: 0.8) }
            pen.shape(.circle(0, -1.5, 2.6), line: 0.75)
        }
    }

    private static func legs(_ pen: Pen) {
        pen.both {
            pen.tube(.lines([(7, -20), (7.5, -5)]), width: 7)
            pen.shape(.blob([.c(3, 0), .p(3, -6), .p(9, -7), .p(16, -4), .c(17, 0)]))
        }
    }

    private static func dress(_ pen: Pen, hem: Double, half: Double) {
        let middle = (hem - 36) / 2
        let skirt = Path.blob([
            .c(-9, -38), .p(-half * 0.62, middle), .c(-half, hem - 3), .p(-half * 0.66, hem + 1),
            .p(-half * 0.33, hem - 2), .p(0, hem + 1),
            .p(half * 0.33, hem - 2), .p(half * 0.66, hem + 1), .c(half, hem - 3), .p(half * 0.62, middle), .c(9, -38),
        ])
        let pattern = pen.whole(0...3)
        pen.shape(skirt) {
            switch pattern {
            case 0:
                pen.both { pen.stroke(.curve([.p(3, -38), .p(half * 0.2, middle), .p(half * 0.34, hem)]), line: 0.75) }
            case 1:
                for (x, y) in [(-0.4, 0.75), (0.0, 0.45), (0.42, 0.78), (0.05, 0.85), (-0.75, 0.92), (0.8, 0.92)] {
                    pen.shape(.circle(half * x, -38 + (hem + 38) * y, half * 0.085), line: 0.75)
                }
            case 2:
                for share in [0.55, 0.8] {
                    let y = -38 + (hem + 38) * share
                    pen.stroke(
                        .curve([
                            .p(-half, y - 2), .p(-half * 0.5, y + 2), .p(0, y - 1), .p(half * 0.5, y + 2),
                            .p(half, y - 2),
                        ]),
                        line: 0.8
                    )
                }
            default: pen.both { pen.shape(.heart(half * 0.36, -38 + (hem + 38) * 0.7, half * 0.14), line: 0.75) }
            }
        }
        pen.shape(.blob([.p(-8, -52), .p(8, -52), .p(13, -46), .c(9.5, -37), .c(-9.5, -37), .p(-13, -46)]))
        pen.shape(.box(-10.5, -40.5, 21, 5, round: 2.2), line: 0.85)
    }

    // MARK: - Head, around (0, −72)

    private static func backHair(_ pen: Pen, _ hair: Hair) {
        switch hair {
        case .long:
            pen.shape(
                .blob([
                    .p(0, -104), .p(27, -91), .p(31, -64), .p(33, -44), .c(38, -32), .p(20, -34), .p(0, -36),
                    .p(-20, -34), .c(-38, -32), .p(-33, -44), .p(-31, -64), .p(-27, -91),
                ])
            )
        case .bob:
            pen.shape(
                .blob([
                    .p(0, -104), .p(27, -92), .p(33, -68), .c(32, -50), .p(0, -48), .c(-32, -50), .p(-33, -68),
                    .p(-27, -92),
                ])
            )
        case .pigtails:
            pen.both {
                pen.shape(
                    .blob([.p(20, -80), .p(34, -84), .p(42, -70), .p(38, -54), .c(33, -44), .p(26, -56), .p(24, -70)])
                )
                pen.shape(.circle(23, -79, 4), line: 0.9)
            }
        case .curls:
            pen.merged {
                for index in 0..<11 {
                    let out = Point.polar(150 + Double(index) * 24, 23)
                    pen.shape(.circle(out.x, -74 + out.y, 8))
                }
            }
        case .short: break
        }
    }

    private static func head(_ pen: Pen, _ hair: Hair) {
        pen.both { if hair != .bob && hair != .long { pen.shape(.circle(24, -70, 4.6), line: 0.95) } }
        let head = Path.blob([
            .p(0, -97), .p(20, -89), .p(25, -71), .p(17, -54), .p(0, -48.5), .p(-17, -54), .p(-25, -71), .p(-20, -89),
        ])
        pen.shape(head) { fringe(pen, hair) }
        if hair == .short { pen.stroke(.curve([.p(-3, -96), .p(-1, -103), .p(7, -104)]), line: 0.9) }
        var face = Face.thrown(by: pen)
        face.apart = 10
        face.drop = 11.5
        face.eyeSize = 3.8
        face.mouthWidth = 7
        pen.at(0, -69) { face.draw(with: pen) }
        if hair == .bob || hair == .long, pen.chance(0.4) { pen.at(19, -90, turn: 24, { Extras.bow(with: pen) }) }
    }

    private static func fringe(_ pen: Pen, _ hair: Hair) {
        switch hair {
        case .short:
            pen.shape(
                .blob([
                    .c(-40, -72), .p(-24, -73), .p(-16, -80), .c(-10, -85), .p(-4, -79), .c(3, -84), .p(10, -79),
                    .c(17, -83), .p(24, -74), .c(40, -72), .c(40, -112), .c(-40, -112),
                ]),
                line: 0.9
            )
        case .curls:
            pen.stroke(
                .curve([
                    .p(-26, -76), .p(-18, -80), .p(-12, -86), .p(-4, -82), .p(3, -86), .p(10, -82), .p(17, -82),
                    .p(26, -76),
                ]),
                line: 0.9
            )
        case .bob, .pigtails:
            pen.stroke(
                .curve([.p(-27, -68), .p(-20, -78), .p(-8, -83), .p(8, -83), .p(20, -78), .p(27, -68)]),
                line: 0.9
            )
            pen.stroke(.lines([(-7, -83), (-5, -90)]), line: 0.6)
            pen.stroke(.lines([(7, -83), (5, -90)]), line: 0.6)
        case .long:
            pen.stroke(.curve([.p(-27, -62), .p(-21, -77), .p(-6, -87), .c(2, -97)]), line: 0.9)
            pen.stroke(.curve([.p(27, -62), .p(22, -78), .p(12, -89), .c(2, -97)]), line: 0.9)
        }
    }

    static func snowman(_ pen: Pen) {
        pen.both {
            pen.stroke(.lines([(18, -44), (40, -58)]), line: 1.1)
            pen.stroke(.lines([(33, -53.5), (36, -62)]), line: 0.9)
            pen.stroke(.lines([(34, -54), (42, -52)]), line: 0.9)
        }
        pen.shape(
            .blob([.p(0, -34), .p(24, -28), .p(32, -14), .p(24, 0), .p(0, 2), .p(-24, 0), .p(-32, -14), .p(-24, -28)])
        )
        pen.shape(.ellipse(0, -42, 23, 19))
        for y in [-44.0, -35, -16] { pen.shape(.circle(0, y, 2.8), line: 0.85) }
        pen.shape(.circle(0, -71, 19.5))
        pen.shape(.blob([.p(-18, -60), .p(0, -54), .p(18, -60), .p(20, -53), .p(0, -47), .p(-20, -53)]))
        pen.shape(.polygon([(8, -52), (17, -54), (20, -34), (11, -32)], round: 2)) {
            for y in [-46.0, -40] { pen.stroke(.lines([(6, y), (24, y - 2)]), line: 0.65) }
        }
        var face = Face.thrown(by: pen, mouths: [.smile])
        face.apart = 8
        face.drop = 10
        face.eyeSize = 3.3
        face.mouthWidth = 6
        face.hasCheeks = false
        pen.at(0, -75) { face.draw(with: pen) }
        pen.shape(.blob([.c(-2, -72), .p(-8, -70), .c(-17, -67), .p(-8, -67), .c(-1, -68)]), line: 0.85)
        if pen.chance(0.5) {
            pen.shape(.polygon([(-14, -87), (-13, -110), (13, -110), (14, -87)], round: 3)) {
                pen.stroke(.lines([(-20, -95), (20, -95)]), line: 0.85)
            }
            pen.shape(.box(-22, -90, 44, 6, round: 3))
        } else {
            pen.shape(.blob([.c(-18, -84), .p(-12, -102), .p(2, -110), .p(14, -102), .c(18, -84)])) {
                for x in [-9.0, 0, 9] {
                    pen.stroke(.curve([.p(x * 1.2, -84), .p(x, -100), .p(x * 0.4, -112)]), line: 0.7)
                }
            }
            pen.shape(.box(-21, -89, 42, 9, round: 4.5))
            pen.shape(.circle(1, -112, 6.5))
        }
    }
}
