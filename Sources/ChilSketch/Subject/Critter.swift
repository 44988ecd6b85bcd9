/// An animal with a round head and a soft body: what tells one from the other is ears, nose, tail and coat.
struct Critter {
    enum Ears { case pointed, floppy, long, round, large, tufted, side, folded }
    enum Nose { case button, muzzle, snout, whiskers, long }
    enum Tail { case curled, bushy, puff, corkscrew, tuft, thin, short, none }
    enum Coat { case plain, stripes, spots, patch, mask, blaze, heart }

    var ears: Ears
    var nose: Nose
    var tail: Tail
    var coat = Coat.plain
    var hasMane = false
    var headWidth = 30.0
    var headHeight = 25.0
    var mouths: [Face.Mouth] = [.smile, .open, .smile, .tongue]

    /// With its feet at y = 0.
    func draw(with pen: Pen) {
        switch pen.whole(0...2) {
        case 0: sit(with: pen)
        case 1: stand(with: pen)
        default: walk(with: pen)
        }
    }

    // MARK: - Poses

    private func sit(with pen: Pen) {
        drawTail(with: pen, x: 20, y: -12)
        let fat = pen.between(0.94, 1.12)
        let body = Path.blob([
            .p(-15, -48), .p(15, -48), .p(26 * fat, -18), .p(22 * fat, -2), .p(0, 0), .p(-22 * fat, -2),
            .p(-26 * fat, -18),
        ])
        pen.both { pen.shape(.ellipse(21 * fat, -5, 12, 7.5)) }
        pen.shape(body) { drawCoat(with: pen, width: 27, top: -46, bottom: -8) }
        pen.both {
            let leg = Path.curve([
                .p(13, -30), .p(13.5, -12), .p(12.5, -4), .p(7, 0), .p(2, -4), .p(1.5, -12), .p(2, -24),
            ])
            pen.white(leg)
            pen.stroke(leg)
            pen.stroke(.lines([(5.5, -4.5), (5.5, -1)]), line: 0.6)
            pen.stroke(.lines([(9.5, -4.5), (9.5, -1)]), line: 0.6)
        }
        pen.at(0, -66, turn: pen.between(-7, 7)) { drawHead(with: pen) }
        if pen.chance(0.3) { pen.at(0, -43) { Extras.bow(with: pen) } }
    }

    private func stand(with pen: Pen) {
        drawTail(with: pen, x: 16, y: -16)
        let isWaving = pen.chance(0.6)
        let body = Path.ellipse(0, -28, 21 * pen.between(0.95, 1.1), 24)
        pen.merged {
            pen.tube(.lines([(-11, -10), (-13, -7)]), width: 15)
            pen.tube(.lines([(11, -10), (13, -7)]), width: 15)
            pen.tube(.curve([.p(-13, -38), .p(-24, -32), .p(-29, -24)]), width: 12)
            pen.tube(
                .curve(isWaving ? [.p(13, -38), .p(27, -42), .p(34, -56)] : [.p(13, -38), .p(24, -32), .p(29, -24)]),
                width: 12
            )
            pen.shape(body)
        }
        pen.inside(body) { drawCoat(with: pen, width: 22, top: -48, bottom: -6) }
        if coat == .plain || coat == .mask || coat == .blaze { pen.shape(.ellipse(0, -24, 13, 15), line: 0.7) }
        pen.both { pen.shape(.ellipse(13.5, -5.5, 4.6, 4), line: 0.6) }
        if pen.chance(0.45) { pen.at(-33, -22) { Extras.held(with: pen) } }
        pen.at(0, -68, turn: pen.between(-6, 6)) { drawHead(with: pen) }
        if pen.chance(0.25) { pen.at(0, -44) { Extras.bow(with: pen) } }
    }

    private func walk(with pen: Pen) {
        drawTail(with: pen, x: 32, y: -38)
        let step = pen.between(1, 5)
        let body = Path.blob([
            .p(-26, -46), .p(4, -51), .p(31, -46), .p(37, -33), .p(30, -22), .p(2, -19), .p(-27, -23), .p(-34, -34),
        ])
        pen.merged {
            pen.tube(.lines([(-14, -24), (-13 - step, -7.5)]), width: 11)
            pen.tube(.lines([(17, -24), (16 - step, -7.5)]), width: 11)
        }
        pen.merged {
            pen.tube(.lines([(-26, -24), (-28 + step * 0.4, -6)]), width: 12)
            pen.tube(.lines([(29, -26), (30 + step * 0.6, -6)]), width: 12)
            pen.shape(body)
        }
        pen.inside(body) { pen.at(4, 0) { drawCoat(with: pen, width: 34, top: -52, bottom: -24) } }
        pen.at(-24, -62, turn: pen.between(-8, 4)) { drawHead(with: pen) }
    }

    // MARK: - Head, around its middle

    private func drawHead(with pen: Pen) {
        if hasMane { drawMane(with: pen) }
        if ears != .floppy { drawEars(with: pen) }
        let cheeks = nose == .whiskers || tail == .bushy ? 1.08 : 1.0
        let (wide, high) = (headWidth, headHeight)
        let head = Path.blob([
            .p(0, -high), .p(wide * 0.78, -high * 0.7), .p(wide, high * 0.08), .p(wide * 0.74 * cheeks, high * 0.74),
            .p(0, high), .p(-wide * 0.74 * cheeks, high * 0.74), .p(-wide, high * 0.08), .p(-wide * 0.78, -high * 0.7),
        ])
        pen.shape(head) { drawHeadCoat(with: pen) }
        if ears == .floppy { drawEars(with: pen) }
        var face = Face.thrown(by: pen, mouths: mouths)
        face.apart = wide * 0.43
        face.drop = high * 0.5
        switch nose {
        case .button, .whiskers:
            pen.at(0, high * 0.02) { face.draw(with: pen) }
            pen.black(.blob([.c(-3.6, high * 0.22), .c(3.6, high * 0.22), .p(0, high * 0.36)]))
            if nose == .whiskers { drawWhiskers(with: pen) }
        case .muzzle, .long:
            let down = nose == .long ? 0.5 : 0.42
            pen.shape(.ellipse(0, high * down, wide * 0.44, high * 0.42), line: 0.8)
            face.mouthWidth = wide * 0.2
            face.drop = high * 0.62
            pen.at(0, -high * 0.06) { face.draw(with: pen) }
            pen.black(.ellipse(0, high * 0.24, 5, 3.6))
            pen.white(.circle(-1.4, high * 0.19, 1.1))
        case .snout:
            face.drop = high * 0.72
            face.mouthWidth = 7
            pen.at(0, -high * 0.08) { face.draw(with: pen) }
            pen.shape(.ellipse(0, high * 0.3, 10.5, 7.5), line: 0.9)
            pen.both { pen.black(.ellipse(3.6, high * 0.3, 1.6, 2.6)) }
        }
        if pen.chance(0.22) { pen.at(wide * 0.5, -high * 0.92, turn: 18) { Extras.flower(with: pen) } }
    }

    private func drawWhiskers(with pen: Pen) {
        pen.both {
            pen.stroke(
                .lines([(headWidth * 0.62, headHeight * 0.36), (headWidth * 1.22, headHeight * 0.24)]),
                line: 0.55
            )
            pen.stroke(
                .lines([(headWidth * 0.6, headHeight * 0.5), (headWidth * 1.18, headHeight * 0.58)]),
                line: 0.55
            )
        }
    }

    private func drawMane(with pen: Pen) {
        let count = pen.pick([11, 13])
        let ring = (0..<count * 2).map { index -> Knot in
            let out = Point.polar(Double(index) * 180 / Double(count) + 90, index % 2 == 0 ? 46 : 36)
            return index % 2 == 0 ? .p(out.x, out.y * 0.95) : .c(out.x, out.y * 0.95)
        }
        pen.shape(.blob(ring))
    }
}
