/// What lies about.
enum Things {
    static func umbrella(_ pen: Pen) {
        pen.at(0, -50, turn: pen.pick([0, 0, -14, 14])) {
            pen.tube(.curve([.p(0, -20), .p(0, 36), .p(6, 46), .p(15, 45), .p(18, 37)]), width: 5)
            pen.stroke(.lines([(0, -44), (0, -52)]))
            let canopy = Path.blob([
                .c(-52, 2), .p(-40, -28), .p(0, -46), .p(40, -28), .c(52, 2), .p(35, -6), .c(18, 2), .p(0, -6),
                .c(-18, 2), .p(-35, -6),
            ])
            let kind = pen.whole(0...2)
            pen.shape(canopy) {
                switch kind {
                case 0:
                    for (x, y) in [(-36.0, -14.0), (0, -26), (36, -14)] { pen.shape(.heart(x, y, 5.5), line: 0.75) }
                case 1:
                    for (x, y) in [(-34.0, -14.0), (0, -14), (34, -14), (-3, -31), (-22, -29), (20, -28)] {
                        pen.shape(.circle(x, y, 4), line: 0.75)
                    }
                default: break
                }
                pen.both { pen.stroke(.curve([.p(0, -46), .p(15, -26), .p(18, 2)]), line: 0.85) }
            }
        }
        if pen.chance(0.6) {
            for (x, y) in [(-40.0, -22.0), (38, -30), (-26, -8), (30, -6)] {
                pen.shape(.blob([.c(x, y - 8), .p(x + 4, y), .p(x, y + 4), .p(x - 4, y)]), line: 0.8)
            }
        }
    }

    static func balloons(_ pen: Pen) {
        let count = pen.whole(1...3)
        let places = [(0.0, -74.0), (-30.0, -62.0), (30.0, -60.0)]
        for (x, y) in places.prefix(count).reversed() {
            pen.stroke(.curve([.p(x, y + 26), .p(x * 0.4 + 3, (y + 26) / 2), .p(0, 4)]), line: 0.8)
        }
        for (index, place) in places.prefix(count).enumerated().reversed() {
            pen.at(place.0, place.1, turn: place.0 * 0.25) {
                pen.shape(.polygon([(0, 23), (-4.5, 30), (4.5, 30)], round: 1.2), line: 0.9)
                pen.shape(
                    .blob([
                        .p(0, -27), .p(17, -20), .p(21, -3), .p(13, 16), .p(0, 25), .p(-13, 16), .p(-21, -3),
                        .p(-17, -20),
                    ])
                )
                if index == 0 {
                    var face = Face.thrown(by: pen)
                    face.apart = 8
                    face.drop = 9
                    face.eyeSize = 3.6
                    face.mouthWidth = 6
                    face.hasCheeks = false
                    pen.at(0, -5) { face.draw(with: pen) }
                } else if pen.chance(0.5) {
                    pen.shape(.star(0, -3, 9, 4.5, round: 1.4), line: 0.8)
                } else {
                    pen.shape(.heart(0, -3, 8), line: 0.8)
                }
            }
        }
        pen.at(0, 4, scale: 0.7) { Extras.bow(with: pen) }
    }

    static func gift(_ pen: Pen) {
        let wide = pen.between(0.86, 1.12)
        pen.at(0, 0, scale: wide, stretch: 1 / wide, turn: pen.between(-4, 4)) { box(pen) }
    }

    private static func box(_ pen: Pen) {
        pen.shape(.box(-37, -50, 74, 50, round: 3)) {
            switch pen.whole(0...2) {
            case 0:
                for (x, y) in [(-24.0, -36.0), (24, -36), (-24, -14), (24, -14)] {
                    pen.shape(.star(x, y, 7, 3.5, round: 1), line: 0.75)
                }
            case 1:
                for (x, y) in [(-27.0, -38.0), (-17, -24), (-27, -10), (27, -38), (17, -24), (27, -10)] {
                    pen.shape(.circle(x, y, 4), line: 0.75)
                }
            default: pen.both { pen.shape(.heart(23, -25, 9), line: 0.8) }
            }
        }
        pen.shape(.box(-8, -50, 16, 50), line: 0.9)
        pen.shape(.box(-42, -66, 84, 18, round: 4))
        pen.shape(.box(-8, -66, 16, 18), line: 0.9)
        pen.at(0, -72) {
            pen.both {
                pen.shape(.blob([.c(3, 4), .p(14, -18), .p(30, -22), .p(34, -10), .p(22, 2)]))
                pen.stroke(.curve([.p(8, 0), .p(17, -10), .p(26, -13)]), line: 0.7)
            }
            pen.shape(.box(-7, -7, 14, 13, round: 5))
        }
    }

    static func heart(_ pen: Pen) {
        pen.shape(.heart(0, -46, 50))
        if pen.level == .detailed || pen.chance(0.4) { pen.stroke(.heart(0, -46.5, 41), line: 0.75) }
        if pen.chance(0.5) {
            var face = Face.thrown(by: pen)
            face.apart = 15
            face.eyeSize = 5.4
            pen.at(0, -52) { face.draw(with: pen) }
        } else {
            pen.shape(.heart(0, -47, 22), line: 0.85)
            pen.both { pen.shape(.star(28, -66, 6, 3, round: 1), line: 0.75) }
        }
    }

    static func ball(_ pen: Pen) {
        let outline = Path.circle(0, -46, 46)
        if pen.chance(0.5) {
            pen.shape(outline) {
                pen.at(0, -46, turn: pen.between(-12, 12)) {
                    let inner = (0..<5).map { Point.polar(Double($0) * 72 - 90, 17) }
                    pen.shape(.polygon(inner.map { ($0.x, $0.y) }, round: 1), line: 0.9)
                    for index in 0..<5 {
                        let angle = Double(index) * 72 - 90
                        let (near, far) = (Point.polar(angle, 17), Point.polar(angle, 32))
                        pen.stroke(.lines([(near.x, near.y), (far.x, far.y)]), line: 0.9)
                        let (left, right) = (Point.polar(angle - 36, 38), Point.polar(angle + 36, 38))
                        pen.stroke(.lines([(left.x, left.y), (far.x, far.y), (right.x, right.y)]), line: 0.9)
                        let out = Point.polar(angle + 36, 50)
                        pen.stroke(.lines([(right.x, right.y), (out.x, out.y)]), line: 0.9)
                    }
                }
            }
        } else {
            pen.shape(outline) {
                pen.at(0, -46, turn: pen.between(-24, 24)) {
                    for angle in stride(from: 0.0, to: 360, by: 60) {
                        let (middle, end) = (Point.polar(angle + 14, 24), Point.polar(angle, 47))
                        pen.stroke(.curve([.p(0, 0), .p(middle.x, middle.y), .p(end.x, end.y)]), line: 0.9)
                    }
                    pen.shape(.circle(0, 0, 9), line: 0.9)
                }
            }
        }
    }
}
