/// What is above.
enum Sky {
    /// A ball of cloud of about 100 units, around the origin.
    static func puff(_ pen: Pen) {
        pen.merged {
            pen.shape(.circle(-24, 4, 22))
            pen.shape(.circle(22, 6, 20))
            pen.shape(.circle(0, -10, 26))
            pen.shape(.circle(4, 12, 20))
        }
    }

    static func sun(_ pen: Pen) {
        let count = pen.pick([10, 12, 14])
        let kind = pen.whole(0...2)
        pen.at(0, -50, turn: pen.between(0, 20)) {
            for index in 0..<count {
                pen.at(0, 0, turn: Double(index) * 360 / Double(count)) {
                    switch kind {
                    case 0: pen.shape(.polygon([(-8, -26), (0, -50), (8, -26)], round: 2))
                    case 1: pen.shape(.blob([.c(-6, -26), .p(-5.5, -41), .p(0, -49), .p(5.5, -41), .c(6, -26)]))
                    default: pen.tube(.lines([(0, -38), (0, index % 2 == 0 ? -48 : -44)]), width: 4.5)
                    }
                }
            }
        }
        pen.shape(.circle(0, -50, 30))
        var face = Face.thrown(by: pen)
        face.apart = 11
        pen.at(0, -54) { face.draw(with: pen) }
    }

    static func moon(_ pen: Pen) {
        pen.at(0, -50, turn: pen.between(-16, 10)) {
            pen.shape(
                .blob([
                    .c(14, -46), .p(-16, -43), .p(-40, -20), .p(-42, 12), .p(-22, 38), .p(6, 45), .c(32, 34), .p(6, 28),
                    .p(-6, 2), .p(0, -26),
                ])
            )
            let face = Face(
                eyes: pen.pick([.happy, .round, .sparkling]),
                mouth: .smile,
                hasCheeks: false,
                eyeSize: 4.4
            )
            pen.at(-22, -8) { face.drawEye(with: pen, side: -1, at: 0) }
            pen.mark(.curve([.p(-24, 14), .p(-17, 19), .p(-8, 16)]), width: 2)
            pen.stroke(.ellipse(-29, 5, 4, 2.8), line: 0.55)
            if pen.chance(0.45) {
                pen.shape(
                    .blob([
                        .c(-36, -34), .p(-12, -50), .c(10, -50), .p(22, -62), .c(34, -52), .p(18, -38), .c(-4, -34),
                        .p(-20, -28),
                    ])
                )
                pen.shape(.circle(33, -50, 5.5))
            }
        }
        for (x, y, size) in [(26.0, -62.0, 9.0), (36, -34, 6.5), (16, -44, 4.5)].prefix(pen.whole(1...3)) {
            pen.shape(.star(x, y, size, size * 0.5, round: size * 0.15), line: 0.85)
        }
    }

    static func star(_ pen: Pen) {
        pen.at(0, -50, turn: pen.between(-10, 10)) {
            pen.shape(.star(0, 0, 50, 27, round: 9))
            if pen.level == .detailed || pen.chance(0.3) { pen.stroke(.star(0, 0, 41, 22, round: 8), line: 0.7) }
            var face = Face.thrown(by: pen)
            face.apart = 10
            face.drop = 11
            face.mouthWidth = 7
            face.hasCheeks = face.hasCheeks && pen.level != .detailed
            pen.at(0, -4) { face.draw(with: pen) }
        }
    }

    static func cloud(_ pen: Pen) {
        let weather = pen.whole(0...2)
        if weather == 1 {
            for (index, x) in [-32.0, -11, 10, 31].enumerated() {
                let y = index % 2 == 0 ? 4.0 : 12.0
                pen.shape(.blob([.c(x, y - 10), .p(x + 5, y), .p(x, y + 5), .p(x - 5, y)]), line: 0.8)
            }
        }
        pen.merged {
            pen.shape(.circle(-36, -26, 19))
            pen.shape(.circle(36, -24, 18))
            pen.shape(.circle(-14, -42, 23))
            pen.shape(.circle(16, -38, 22))
            pen.shape(.box(-46, -30, 92, 24, round: 12))
        }
        var face = Face.thrown(by: pen)
        face.apart = 13
        pen.at(0, -31) { face.draw(with: pen) }
    }

    static func rainbow(_ pen: Pen) {
        let bands = pen.level == .easy ? 4 : pen.level == .medium ? 6 : 7
        let step = 42.0 / Double(bands)
        let high = pen.between(62, 84)
        pen.shape(.arc(0, 0, 72, high, from: 180, to: 360))
        for band in 1...bands {
            let radius = 72 - Double(band) * step
            pen.stroke(.arc(0, 0, radius, radius * high / 72, from: 180, to: 360), line: 0.9)
        }
        let large = pen.between(0.56, 0.7)
        pen.both {
            pen.at(51, 2, scale: large) { puff(pen) }
        }
        if pen.chance(0.6) {
            pen.both { Face.cheerful(pen).draw(onCloudAt: 51, pen) }
        }
    }
}

extension Face {
    static func cheerful(_ pen: Pen) -> Face {
        Face(eyes: .happy, mouth: .smile, hasCheeks: false, apart: 8, drop: 8, eyeSize: 3.4, mouthWidth: 5)
    }

    func draw(onCloudAt x: Double, _ pen: Pen) {
        pen.at(x, 1) { draw(with: pen) }
    }
}
