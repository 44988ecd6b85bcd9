import ChilCore

extension ConsoleModel {
    mutating func received(_ key: Key) -> [ConsoleRequest] {
        switch key {
        case .control("c"): return [.quit]
        case .control("z"): return [.suspend]
        case .control("l"): return [.repaint]
        default: break
        }
        if dialog != nil { return receivedByDialog(key) }
        if prompt != nil { return receivedByPrompt(key) }
        switch overlay {
        case .none: return receivedByList(key)
        case .help(let top):
            overlay =
                scrolled(key, top, of: HelpText.lines(isReadOnly: settings.isReadOnly).count).map { .help(top: $0) }
                ?? .none
        case .detail(let row, let title, let lines, let isJSON, let top):
            overlay =
                scrolled(key, top, of: lines?.count ?? 0).map {
                    .detail(row, title: title, lines: lines, isJSON: isJSON, top: $0)
                } ?? .none
        case .picture:
            if Self.closing.contains(key) { overlay = .none }
        }
        if case .none = overlay { return ask() }
        return []
    }

    private static let closing: Set<Key> = [.escape, .enter, .text("q"), .text("?"), .left, .backspace]

    /// `nil`: it is to be closed.
    private func scrolled(_ key: Key, _ top: Int, of count: Int) -> Int? {
        if Self.closing.contains(key) { return nil }
        let room = max(1, size.height - 4)
        let step =
            switch key {
            case .down, .text("j"): 1
            case .up, .text("k"): -1
            case .pageDown, .text(" "), .control("f"): room
            case .pageUp, .control("b"): -room
            case .home, .text("g"): -count
            case .end, .text("G"): count
            default: 0
            }
        return max(0, min(top + step, count - room))
    }

    private mutating func receivedByList(_ key: Key) -> [ConsoleRequest] {
        let room = ConsoleLayout(size, place.noun).rows
        switch key {
        case .text("q"): return [.quit]
        case .text("?"): overlay = .help(top: 0)
        case .text(":"): prompt = Prompt(.command)
        case .text("/"): prompt = Prompt(.filter, pane.filter)
        case .control("r"): return ask()
        case .down, .text("j"): return moved(1)
        case .up, .text("k"): return moved(-1)
        case .pageDown, .control("f"): return moved(room)
        case .pageUp, .control("b"): return moved(-room)
        case .home, .text("g"): return pane.rewind() ? ask() : chosenAgain()
        case .end, .text("G"):
            pane.chosen = max(0, pane.rows.count - 1)
            return chosenAgain()
        case .enter, .right: return entered()
        case .escape, .left, .backspace: return left()
        case .text("d"): return described(asJSON: false)
        case .text("y"): return described(asJSON: true)
        case .text(" "): return marked()
        case .text(let character): return receivedByList(character, key)
        default: return acted(key)
        }
        return []
    }

    private mutating func receivedByList(_ character: Character, _ key: Key) -> [ConsoleRequest] {
        if let number = character.wholeNumberValue, (1...Noun.tabs.count).contains(number) {
            return jump(Noun.tabs[number - 1], to: nil)
        }
        if character.isUppercase,
            let column = ListColumn.all(of: place.noun).firstIndex(where: { $0.letter == character })
        {
            pane.sort(by: column)
            return []
        }
        return acted(key)
    }

    private mutating func moved(_ step: Int) -> [ConsoleRequest] {
        pane.move(by: step) ? ask() : chosenAgain()
    }

    /// The overview tells of the row that is chosen.
    private mutating func chosenAgain() -> [ConsoleRequest] {
        place.noun == .overview && away == nil && asked == nil ? ask() : []
    }

    private mutating func marked() -> [ConsoleRequest] {
        guard let row = pane.chosenRow else { return [] }
        if pane.marks.removeValue(forKey: row.key) == nil { pane.marks[row.key] = row.name }
        guard pane.chosen < pane.rows.count - 1 else { return [] }
        return moved(1)
    }

    private mutating func left() -> [ConsoleRequest] {
        if !pane.marks.isEmpty {
            pane.marks = [:]
            return []
        }
        if !pane.filter.isEmpty {
            pane.search("")
            return ask()
        }
        guard panes.count > 1 else { return [] }
        panes.removeLast()
        notice = nil
        return ask()
    }

    // MARK: Going

    private mutating func entered() -> [ConsoleRequest] {
        guard let row = pane.chosenRow else { return [] }
        let tenant = place.tenant ?? row.tenant
        switch place.noun {
        case .overview, .tenants: return push(Place(.users, tenant: row.key))
        case .users: return push(Place(.sessions, tenant: tenant, user: row.key))
        case .sessions: return push(Place(.drawings, tenant: tenant, user: row.user))
        case .printers: return push(Place(.jobs, tenant: tenant, printer: row.key))
        case .drawings:
            overlay = .picture(name(of: row), title: row.name, nil, isKnown: false)
            return askPicture()
        case .jobs, .queue, .audit, .services, .database: return described(asJSON: false)
        }
    }

    mutating func askPicture() -> [ConsoleRequest] {
        guard case .picture(let row, _, _, _) = overlay else { return [] }
        detailToken = fresh()
        let box = PictureBox(size, ability)
        return [.picture(detailToken, row, width: box.pixelWidth, height: box.pixelHeight)]
    }

    private mutating func push(_ place: Place) -> [ConsoleRequest] {
        panes.append(Pane(place))
        notice = nil
        return ask()
    }

    /// To a list by its name; of the tenant at hand if none is named.
    mutating func jump(_ noun: Noun, to tenant: String?) -> [ConsoleRequest] {
        var place = Place(noun)
        if noun.isOfTenant {
            place.tenant = tenant ?? tenantAtHand
            guard place.tenant != nil else {
                say("Of which tenant? :\(noun.rawValue) SLUG", .warning)
                return []
            }
        }
        while panes.count > 1 { panes.removeLast() }
        notice = nil
        if noun == .overview { return ask() }
        return push(place)
    }

    private var tenantAtHand: String? {
        if let tenant = place.tenant { return tenant }
        guard let row = pane.chosenRow else { return nil }
        return place.noun.isListOfTenants ? row.key : row.tenant
    }

    private func name(of row: ConsolePage.Row) -> RowName {
        RowName(place.noun, tenant: place.tenant ?? row.tenant, key: row.key)
    }

    private mutating func described(asJSON: Bool) -> [ConsoleRequest] {
        guard let row = pane.chosenRow else { return [] }
        detailToken = fresh()
        overlay = .detail(name(of: row), title: row.name, lines: nil, isJSON: asJSON, top: 0)
        return [.detail(detailToken, name(of: row), asJSON: asJSON)]
    }

    // MARK: Acting

    private mutating func acted(_ key: Key) -> [ConsoleRequest] {
        guard let act = Act.all(of: place.noun).first(where: { $0.key == key }) else { return [] }
        guard !settings.isReadOnly else {
            say("This console is read-only: nothing is changed.", .warning)
            return []
        }
        var rows = pane.marks.sorted { $0.key < $1.key }.map { (key: $0.key, name: $0.value) }
        if rows.isEmpty, let row = pane.chosenRow { rows = [(row.key, row.name)] }
        guard let first = rows.first else { return [] }
        guard rows.count == 1 || !act.isSevere else {
            say("One at a time: \(act.word) is severe.", .warning)
            return []
        }
        dialog = Dialog(
            act,
            rows.map { RowName(act.noun, tenant: place.tenant ?? $0.key, key: $0.key) },
            names: rows.map(\.name),
            slug: place.tenant ?? first.key
        )
        return []
    }
}
