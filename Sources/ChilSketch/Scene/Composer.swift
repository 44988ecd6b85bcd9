/// Makes a page of a wish.
struct Composer {
    let wish: Wish
    let size: SketchSize
    let level: SketchLevel

    /// The subjects of the wish in their place.
    func scene(dice: Dice) -> Canvas {
        var page = Page(size: size, level: level, dice: dice)
        let parts = wish.parts
        let place = place
        var high: [Actor] = []
        var low: [Actor] = []
        var afloat: [Actor] = []
        if let seat = wish.seat {
            let rider = Actor(seat.rider, dice: page.dice.branch(), level: level)
            let base = Actor(seat.base, dice: page.dice.branch(), level: level)
            let pair = Actor.pair(rider: rider, base: base, seat: seat.base.seat)
            if place == .sea, seat.base.home == .surface {
                afloat.append(pair)
            } else if isHigh(seat.base) {
                high.append(pair)
            } else {
                low.append(pair)
            }
        }
        for part in parts {
            let isSeated = wish.seat.map { $0.rider == part.subject || $0.base == part.subject } ?? false
            for _ in 0..<part.count - (isSeated ? 1 : 0) {
                let actor = Actor(part.subject, dice: page.dice.branch(), level: level)
                if place == .sea, part.subject.home == .surface {
                    afloat.append(actor)
                } else if isHigh(part.subject) {
                    high.append(actor)
                } else {
                    low.append(actor)
                }
            }
        }
        low = page.dice.shuffled(low)
        draw(high: high, low: low, afloat: afloat, on: &page)
        return page.painter.canvas
    }

    private func draw(high: [Actor], low: [Actor], afloat: [Actor], on page: inout Page) {
        let place = place
        let frame = page.frame
        let inner = frame.inset(by: page.pen * 3.5)
        let grounded = low.count + afloat.count
        // How much of the height the sky gets.
        let skyShare =
            grounded == 0
            ? 1 : high.isEmpty ? 0 : min(0.55, max(0.34, Double(high.count) / Double(high.count + grounded)))
        let hasGround = ![.plain, .underwater].contains(place)
        let feet = inner.bottom - (hasGround ? frame.height * 0.03 : 0)
        let headroom = grounded > 0 && high.isEmpty && hasGround ? frame.height * 0.14 : 0
        let skyBottom =
            grounded == 0
            ? (hasGround ? frame.bottom - frame.height * 0.2 : inner.bottom) : inner.top + inner.height * skyShare
        let sky = Bounds(left: inner.left, top: inner.top, right: inner.right, bottom: skyBottom)
        var earth = Bounds(
            left: inner.left,
            top: skyBottom + (high.isEmpty || grounded == 0 ? headroom : page.pen * 2),
            right: inner.right,
            bottom: feet
        )
        if grounded == 0 { earth = Bounds(left: inner.left, top: feet, right: inner.right, bottom: feet) }

        let skyStands = Rows(area: sky, footing: .middle, heightMax: page.short * (grounded == 0 ? 0.72 : 0.5)).stands(
            for: high,
            dice: &page.dice
        )
        var seaArea = earth
        var deepArea = earth
        if !afloat.isEmpty, !low.isEmpty {
            let share = Double(afloat.count) / Double(afloat.count + low.count)
            let middle = earth.top + earth.height * min(0.6, max(0.45, share))
            seaArea = Bounds(left: earth.left, top: earth.top, right: earth.right, bottom: middle)
            deepArea = Bounds(left: earth.left, top: middle + page.pen * 3, right: earth.right, bottom: earth.bottom)
        } else if !afloat.isEmpty {
            seaArea = Bounds(
                left: earth.left,
                top: earth.top,
                right: earth.right,
                bottom: earth.bottom - earth.height * 0.16
            )
        }
        // Who lives on land stands on a beach.
        let isBeach = place == .sea && !low.isEmpty && wish.parts.allSatisfy { $0.subject.home != .water }
        let isAfloat = place == .sea && !isBeach
        let footing: Rows.Footing = isAfloat || place == .underwater || place == .plain ? .middle : .low
        let floatStands = Rows(area: seaArea, footing: .low, heightMax: page.short * 0.74).stands(
            for: afloat,
            dice: &page.dice
        )
        let lowStands = Rows(area: deepArea, footing: footing, heightMax: page.short * (place == .plain ? 0.8 : 0.76))
            .stands(for: low, dice: &page.dice)
        let all = skyStands + floatStands + lowStands
        for stand in all { page.take(stand.bounds.inset(by: -page.pen)) }

        let backdrop = Backdrop(
            place: place,
            horizon: horizon(of: place, frame, floatStands, lowStands),
            hasHeavens: wish.parts.contains { [.sun, .moon].contains($0.subject) }
        )
        backdrop.drawBehind(on: &page)
        for stand in skyStands + floatStands { page.put(stand) }
        backdrop.drawWater(on: &page)
        if isBeach, let back = lowStands.map(\.bounds).min(by: { $0.bottom < $1.bottom }) {
            backdrop.drawBeach(on: &page, from: back.bottom - back.height * 0.16)
        }
        for stand in lowStands { page.put(stand) }
        backdrop.drawAround(on: &page)
        page.drawFrame(isDouble: place == .plain || level == .detailed)
    }

    private func horizon(of place: Place, _ frame: Bounds, _ afloat: [Rows.Stand], _ low: [Rows.Stand]) -> Double {
        switch place {
        case .sea:
            guard let lowest = afloat.map(\.bounds).max(by: { $0.bottom < $1.bottom }) else {
                let high = low.map(\.bounds.top).min() ?? frame.middle.y
                let isDeep = wish.parts.contains { $0.subject.home == .water }
                return isDeep ? high - frame.height * 0.03 : high + (frame.bottom - high) * 0.45
            }
            return lowest.bottom - lowest.height * 0.16
        case .underwater, .plain: return frame.bottom
        default:
            guard let back = low.map(\.bounds).min(by: { $0.bottom < $1.bottom }) else {
                return frame.bottom - frame.height * 0.13
            }
            // Behind the feet of those who stand furthest back.
            return min(back.bottom - back.height * 0.16, frame.bottom - frame.height * 0.1)
        }
    }

    private func isHigh(_ subject: Subject) -> Bool {
        switch place {
        case .plain, .underwater: false
        default: subject.home == .heavens || subject.home == .air
        }
    }

    /// As wished, else where the subjects belong.
    private var place: Place {
        let homes = wish.parts.map(\.subject.home)
        if let place = wish.place {
            if place == .sea, !homes.contains(.surface), homes.contains(.water), !homes.contains(.ground) {
                return .underwater
            }
            return place
        }
        let subjects = wish.parts.map(\.subject)
        if subjects.contains(.snowman) { return .snow }
        if homes.contains(.surface) { return .sea }
        if homes.contains(.water) { return homes.contains(.ground) || homes.contains(.heavens) ? .sea : .underwater }
        if subjects.contains(.rocket) || (subjects.contains(.moon) && homes.allSatisfy { $0 == .heavens }) {
            return .space
        }
        if subjects.contains(.moon) || subjects == [.star] { return .night }
        if homes.allSatisfy({ $0 == .anywhere }) { return .plain }
        return .meadow
    }
}
