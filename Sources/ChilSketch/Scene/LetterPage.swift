/// The page of a wish that nothing is known of: its words in hollow letters, with flowers below and stars around.
struct LetterPage {
    let lettering: Lettering
    let size: SketchSize
    let level: SketchLevel

    func canvas(dice: Dice) -> Canvas {
        var page = Page(size: size, level: level, dice: dice)
        let frame = page.frame
        let garden = min(frame.height * 0.2, frame.width * (level == .easy ? 0.26 : 0.18))
        let area = Bounds(
            left: frame.left + page.short * 0.06,
            top: frame.top + page.short * 0.12,
            right: frame.right - page.short * 0.06,
            bottom: frame.bottom - garden - page.short * 0.05
        )
        let pen = Pen(dice: page.dice.branch(), level: level)
        lettering.drawing(in: area, with: pen)
        page.take(pen.drawing.bounds.inset(by: -page.pen * 2))
        let backdrop = Backdrop(place: .plain, horizon: frame.bottom - garden * 0.35, hasHeavens: false)
        Backdrop(place: .meadow, horizon: frame.bottom - garden * 0.4, hasHeavens: false).drawBehind(on: &page)
        row(on: &page, height: garden)
        page.draw(line: 0.62) { $0.paste(pen.drawing) }
        page.take(Bounds(left: frame.left, top: frame.bottom - garden * 0.55, right: frame.right, bottom: frame.bottom))
        backdrop.strew(on: &page, frame.inset(by: page.pen * 3.5), more: 6)
        page.drawFrame(isDouble: true)
        return page.painter.canvas
    }

    private func row(on page: inout Page, height: Double) {
        let frame = page.frame
        let count = level == .easy ? 3 : 5
        let friends: [Subject] = [.flower, .flower, .mushroom, .snail, .butterfly, .ladybug, .flower]
        for index in 0..<count {
            let subject = index % 2 == 0 ? .flower : page.dice.pick(friends)
            let actor = Actor(subject, dice: page.dice.branch(), level: level)
            let high = height * (subject == .flower ? page.dice.between(0.8, 1) : 0.55)
            let wide = high * actor.drawing.bounds.width / max(1, actor.drawing.bounds.height)
            let x = frame.left + frame.width * (Double(index) + 0.5) / Double(count)
            let bottom = frame.bottom - height * 0.14
            let box = Bounds(left: x - wide / 2, top: bottom - high, right: x + wide / 2, bottom: bottom)
            page.take(box)
            page.put(actor.drawing, in: box)
        }
    }
}
