/// Little things that go with others: worn, held, strewn.
enum Extras {
    static func bow(with pen: Pen) {
        pen.both { pen.shape(.blob([.c(1, -1), .p(9, -7), .p(13, -4), .p(13, 4), .p(9, 7), .c(1, 1)]), line: 0.8) }
        pen.shape(.circle(0, 0, 3.4), line: 0.8)
    }

    static func flower(with pen: Pen) {
        pen.merged {
            for petal in 0..<5 {
                let out = Point.polar(Double(petal) * 72 - 90, 4.6)
                pen.shape(.circle(out.x, out.y, 3.9))
            }
        }
        pen.shape(.circle(0, 0, 3), line: 0.7)
    }

    /// Held by a hand at the origin.
    static func held(with pen: Pen) {
        switch pen.whole(0...3) {
        case 0:
            pen.stroke(.curve([.p(0, 0), .p(-3, -22), .p(0, -44)]), line: 0.6)
            pen.shape(.ellipse(0, -58, 12.5, 15))
            pen.shape(.polygon([(0, -43.5), (-3, -39), (3, -39)], round: 1), line: 0.8)
            pen.stroke(.arc(-1, -59, 8, 10, from: 190, to: 240), line: 0.6)
        case 1:
            pen.stroke(.curve([.p(0, 6), .p(1, -10), .p(-2, -26)]), line: 0.9)
            pen.shape(.blob([.c(0, -8), .p(-8, -14), .c(-13, -12), .p(-7, -6)]), line: 0.7)
            pen.at(-2, -30, scale: 1.9) { flower(with: pen) }
        case 2:
            pen.stroke(.lines([(0, 4), (0, -20)]), line: 1)
            pen.shape(.star(0, -28, 11, 5.5, round: 2))
        default:
            pen.shape(.heart(-3, -3, 9))
        }
    }
}
