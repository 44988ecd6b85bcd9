/// A friendly face: the same hand drew them all, whatever they belong to.
struct Face {
    enum Eyes: CaseIterable { case round, wide, happy, wink, sparkling }
    enum Mouth: CaseIterable { case smile, open, tongue, cat, small }

    var eyes: Eyes
    var mouth: Mouth
    var hasCheeks: Bool
    /// From the middle to an eye.
    var apart = 15.0
    /// From the eyes' height down to the mouth.
    var drop = 13.0
    var eyeSize = 4.6
    var mouthWidth = 9.0

    static func thrown(by pen: Pen, mouths: [Mouth] = [.smile, .open, .smile, .tongue]) -> Face {
        Face(
            eyes: pen.pick([.round, .round, .wide, .happy, .wink, .sparkling]),
            mouth: pen.pick(mouths),
            hasCheeks: pen.chance(0.7)
        )
    }

    /// With the eyes' height at y = 0.
    func draw(with pen: Pen) {
        drawEyes(with: pen)
        if hasCheeks { pen.both { pen.stroke(.ellipse(apart + 8, drop * 0.62, 4.4, 3), line: 0.55) } }
        pen.at(0, drop) { drawMouth(with: pen) }
    }

    func drawEyes(with pen: Pen) {
        drawEye(with: pen, side: -1, at: -apart)
        drawEye(with: pen, side: 1, at: apart)
    }

    /// `side`: −1 left, 1 right, as seen.
    func drawEye(with pen: Pen, side: Double, at x: Double) {
        switch eyes {
        case .happy: closedEye(with: pen, x)
        case .wink where side > 0: closedEye(with: pen, x)
        case .round, .wink:
            pen.black(.ellipse(x, 0, eyeSize * 0.85, eyeSize))
            pen.white(.circle(x + eyeSize * 0.25, -eyeSize * 0.35, eyeSize * 0.32))
        case .wide:
            pen.shape(.ellipse(x, 0, eyeSize * 1.25, eyeSize * 1.45), line: 0.7)
            pen.black(.ellipse(x + eyeSize * 0.1, eyeSize * 0.2, eyeSize * 0.75, eyeSize * 0.95))
            pen.white(.circle(x + eyeSize * 0.35, -eyeSize * 0.2, eyeSize * 0.3))
        case .sparkling:
            pen.black(.ellipse(x, 0, eyeSize, eyeSize * 1.2))
            pen.white(.circle(x - eyeSize * 0.3, -eyeSize * 0.4, eyeSize * 0.38))
            pen.white(.circle(x + eyeSize * 0.32, eyeSize * 0.4, eyeSize * 0.2))
            pen.mark(
                .lines([(x + side * eyeSize * 0.8, -eyeSize * 0.7), (x + side * eyeSize * 1.6, -eyeSize * 1.2)]),
                width: 1.2
            )
        }
    }

    private func closedEye(with pen: Pen, _ x: Double) {
        pen.mark(.arc(x, eyeSize * 0.4, eyeSize * 1.1, eyeSize, from: 200, to: 340), width: 2)
    }

    func drawMouth(with pen: Pen) {
        let wide = mouthWidth
        switch mouth {
        case .smile: pen.mark(.arc(0, -wide * 0.35, wide, wide * 0.75, from: 20, to: 160), width: 1.9)
        case .small: pen.mark(.arc(0, -wide * 0.2, wide * 0.5, wide * 0.45, from: 15, to: 165), width: 1.9)
        case .cat:
            pen.both {
                pen.mark(.arc(wide * 0.42, -wide * 0.25, wide * 0.42, wide * 0.5, from: 0, to: 180), width: 1.9)
            }
        case .open:
            let lips = Path.blob([
                .c(-wide * 0.8, -2), .p(0, -0.6), .c(wide * 0.8, -2), .p(wide * 0.5, wide * 0.6),
                .p(-wide * 0.5, wide * 0.6),
            ])
            pen.shape(lips, line: 0.7) {
                pen.stroke(.ellipse(0, wide * 0.95, wide * 0.5, wide * 0.55), line: 0.6)
            }
        case .tongue:
            pen.shape(
                .blob([
                    .c(-wide * 0.32, -0.5), .c(wide * 0.32, -0.5), .p(wide * 0.28, wide * 0.55), .p(0, wide * 0.8),
                    .p(-wide * 0.28, wide * 0.55),
                ]),
                line: 0.6
            )
            pen.mark(.arc(0, -wide * 0.55, wide, wide * 0.75, from: 20, to: 160), width: 1.9)
        }
    }
}
