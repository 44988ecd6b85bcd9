import ChilCore
import Testing

@testable import ChilConsole

@Suite struct ConsoleModelTests {
    private func overview(_ model: ConsoleModel = Sample.model()) -> Driver {
        var driver = Driver(model)
        driver.answer(Sample.tenants)
        return driver
    }

    private func users(isReadOnly: Bool = false) -> Driver {
        var driver = overview(Sample.model(isReadOnly: isReadOnly))
        driver.press(.down, .enter)
        driver.answer(Sample.users)
        return driver
    }

    // MARK: What is asked

    @Test func onlyWhatHasRoomIsAskedFor() {
        #expect(Driver(Sample.model(80, 24)).asked.lastPage?.query.countMax == 15)
        #expect(Driver(Sample.model(200, 50)).asked.lastPage?.query.countMax == 41)
        #expect(Driver(Sample.model(1, 1)).asked.lastPage?.query.countMax == 1)
    }

    @Test func aPageIsAskedForAgainAfterAWhile() {
        var driver = overview()
        let before = driver.asked.count
        driver.tick(1)
        #expect(driver.asked.count == before)
        driver.tick(1)
        #expect(driver.asked.count == before + 1)
        // Until it is answered nothing more is asked.
        for _ in 0..<10 { driver.tick(1) }
        #expect(driver.asked.count == before + 1)
        // Or until it is too late for an answer.
        for _ in 0..<11 { driver.tick(1) }
        #expect(driver.asked.count == before + 2)
    }

    @Test func whatIsCoveredIsNotAskedFor() {
        for key in [Key.text("?"), .text("d"), .text("y")] {
            var driver = overview()
            driver.press(key)
            let before = driver.asked.count
            for _ in 0..<10 { driver.tick(1) }
            #expect(driver.asked.count == before)
        }
    }

    @Test func anAnswerToAnEarlierQuestionIsNotShown() {
        var driver = overview()
        driver.press(.down, .enter)
        let stale = (driver.asked.lastPage?.token ?? 0) - 1
        driver.send(.page(stale, Sample.printers))
        #expect(driver.model.pane.page == nil)
        driver.send(.picture(999, Sample.picture))
        driver.send(.detail(999, []))
        #expect(driver.model.overlay == .none)
    }

    @Test func pagesFollowTheirCursors() {
        var driver = overview()
        for _ in 0..<3 { driver.press(.down) }
        driver.press(.down)
        #expect(driver.asked.lastPage?.query.after == "jamo")
        driver.answer(ConsolePage([Sample.tenantRow("last", "L")]))
        driver.press(.pageDown)
        #expect(driver.asked.lastPage?.query.after == "jamo", "there is no other")
        driver.press(.up)
        #expect(driver.asked.lastPage?.query.after == nil)
        driver.answer(Sample.tenants)
        #expect(driver.model.pane.chosenRow?.key == "jamo", "the last row of the page before")
        driver.press(.text("g"))
        #expect(driver.model.pane.chosen == 0)
    }

    @Test func theChosenRowIsFollowed() {
        var driver = overview()
        driver.press(.down)
        driver.answer(ConsolePage([Sample.tenantRow("a", "new")] + Sample.tenants.rows))
        #expect(driver.model.pane.chosenRow?.key == "chillin")
        driver.tick(2)
        driver.answer(ConsolePage([Sample.tenantRow("a", "new")]))
        #expect(driver.model.pane.chosenRow?.key == "a")
    }

    // MARK: Going

    @Test func enterGoesDownToThePicture() {
        var driver = users()
        #expect(driver.asked.lastPage?.query.place == Place(.users, tenant: "chillin"))
        driver.press(.enter)
        #expect(driver.asked.lastPage?.query.place == Place(.sessions, tenant: "chillin", user: "188461223849985"))
        driver.answer(
            ConsolePage([ConsolePage.Row(key: "5", tenant: "chillin", user: "188461223849985", [.text("5")])])
        )
        driver.press(.enter)
        #expect(driver.asked.lastPage?.query.place == Place(.drawings, tenant: "chillin", user: "188461223849985"))
        driver.answer(ConsolePage([ConsolePage.Row(key: "6", tenant: "chillin", [.text("6")])]))
        driver.press(.enter)
        #expect(
            driver.asked.last
                == .picture(
                    driver.model.detailToken,
                    RowName(.drawings, tenant: "chillin", key: "6"),
                    width: 156,
                    height: 76
                )
        )
        for noun in [Noun.drawings, .sessions, .users, .overview] {
            driver.press(.escape)
            #expect(driver.model.place.noun == noun)
        }
        driver.press(.escape)
        #expect(driver.model.place.noun == .overview)
    }

    @Test(arguments: [
        ("users chillin", Place(.users, tenant: "chillin")), ("queue", Place(.queue)),
        ("jobs", Place(.jobs, tenant: "arasaebom")),
        ("  services  ", Place(.services)), ("overview", Place(.overview)), ("database x", Place(.database)),
    ])
    func aWordJumps(_ line: String, _ place: Place) {
        var driver = overview()
        driver.press(.text(":"))
        driver.type(line)
        driver.press(.enter)
        #expect(driver.asked.lastPage?.query.place == place)
        #expect(driver.model.prompt == nil)
    }

    @Test(arguments: ["nonsense", "users" + "x", "", "Users"])
    func anotherWordDoesNot(_ line: String) {
        var driver = overview()
        let before = driver.asked.count
        driver.press(.text(":"))
        driver.type(line)
        driver.press(.enter)
        #expect(driver.asked.count == before)
    }

    @Test func tabCompletes() {
        var driver = overview()
        driver.press(.text(":"))
        driver.type("us")
        driver.press(.tab)
        #expect(driver.model.prompt?.editor.text == "users ")
        #expect(driver.asked.last == .names(driver.model.namesToken, prefix: ""))
        driver.type("ten")
        #expect(driver.asked.last == .names(driver.model.namesToken, prefix: "ten"))
        driver.send(.names(driver.model.namesToken, ["tenant-10", "tenant-12"]))
        driver.press(.tab)
        #expect(driver.model.prompt?.editor.text == "users tenant-1")
        driver.send(.names(driver.model.namesToken - 1, ["stale"]))
        #expect(driver.model.prompt?.candidates == ["tenant-10", "tenant-12"])
    }

    @Test func aListOfATenantWantsOne() {
        var driver = Driver(Sample.model())
        driver.press(.text(":"))
        driver.type("users")
        driver.press(.enter)
        #expect(driver.model.place.noun == .overview)
        #expect(driver.model.notice?.text == "Of which tenant? :users SLUG")
    }

    @Test func aFilterIsTypedInHangul() {
        var driver = overview()
        driver.press(.text("/"))
        for scalar in "어린이집".unicodeScalars { driver.press(.text(Character(scalar))) }
        driver.press(.enter)
        #expect(driver.asked.lastPage?.query.filter == "어린이집")
        driver.press(.escape)
        #expect(driver.asked.lastPage?.query.filter == "")
    }

    @Test func aPageIsSorted() {
        var driver = overview()
        driver.press(.text("Q"))
        #expect(driver.model.pane.rows.map(\.key) == ["jamo", "arasaebom", "chillin", "evil"])
        driver.press(.text("Q"))
        #expect(driver.model.pane.rows.map(\.key) == ["evil", "chillin", "arasaebom", "jamo"])
        driver.press(.text("N"))
        #expect(driver.model.pane.rows.first?.key == "chillin")
    }

    @Test(arguments: Noun.allCases)
    func lettersOfAListAreApart(_ noun: Noun) {
        let letters = ListColumn.all(of: noun).map(\.letter)
        #expect(Set(letters).count == letters.count)
        #expect(ListColumn.all(of: noun).allSatisfy { $0.letter.isUppercase && $0.title.contains($0.letter) })
        let keys = Act.all(of: noun).map(\.key)
        #expect(Set(keys).count == keys.count)
        for width in 38...220 {
            let laid = ListColumn.laid(ListColumn.all(of: noun), in: width)
            #expect(laid.last.map { $0.x + $0.width <= width } ?? false)
            #expect(laid.allSatisfy { $0.width > 0 })
        }
    }

    // MARK: Acting

    @Test func theDialogBeginsAtCancel() {
        var driver = users()
        driver.press(.text("b"))
        #expect(driver.model.dialog != nil)
        let before = driver.asked.count
        driver.press(.enter)
        #expect(driver.model.dialog == nil)
        #expect(driver.asked.count == before, "nothing was done")
        driver.press(.text("b"), .tab, .escape)
        #expect(driver.asked.count == before)
    }

    @Test func tabAndEnterDoIt() {
        var driver = users()
        let requests = driver.press(.text("b"), .tab, .enter)
        guard case .act(_, .banUser, let rows)? = requests.last else {
            Issue.record("\(requests)")
            return
        }
        #expect(rows == [RowName(.users, tenant: "chillin", key: "188461223849985")])
        driver.send(.acted(1, done: 1, fault: nil))
        #expect(driver.model.notice?.text == "1 done.")
    }

    @Test func whatIsMarkedIsDone() {
        var driver = users()
        driver.press(.text(" "), .text(" "))
        let requests = driver.press(.text("u"), .tab, .enter)
        guard case .act(_, .unbanUser, let rows)? = requests.last else {
            Issue.record("\(requests)")
            return
        }
        #expect(rows.map(\.key) == ["188460609449986", "188461223849985"])
        #expect(driver.model.pane.marks.isEmpty)
    }

    @Test(arguments: [("chillin", true), ("chillin ", false), ("Chillin", false), ("", false), ("chilli", false)])
    func aSevereActWantsTheSlug(_ typed: String, _ isDone: Bool) {
        var driver = overview()
        driver.press(.down, .text("s"))
        driver.type(typed)
        let requests = driver.press(.tab, .enter)
        let acts = requests.filter { if case .act = $0 { true } else { false } }
        #expect(acts.count == (isDone ? 1 : 0))
        #expect((driver.model.dialog == nil) == isDone)
    }

    @Test func oneSevereActAtATime() {
        var driver = overview()
        driver.press(.text(" "), .text(" "), .text("s"))
        #expect(driver.model.dialog == nil)
        #expect(driver.model.notice?.text == "One at a time: suspend is severe.")
    }

    /// No key of any list does anything.
    @Test(arguments: Noun.allCases)
    func readOnlyIsReadOnly(_ noun: Noun) {
        var driver = Driver(Sample.model(isReadOnly: true))
        driver.answer(Sample.tenants)
        driver.press(.text(":"))
        driver.type("\(noun.rawValue) chillin")
        driver.press(.enter)
        driver.answer(ConsolePage([ConsolePage.Row(key: "1", tenant: "chillin", [])]))
        for act in Act.all(of: noun) {
            driver.press(act.key, .tab, .enter)
            #expect(driver.model.dialog == nil)
        }
        #expect(!driver.asked.contains { if case .act = $0 { true } else { false } })
        #expect(!driver.model.screen.text.contains("suspend "))
    }

    /// The head line says where one is, in the colour that warns of it.
    @Test(arguments: [("production", UInt8(1) as UInt8?), ("자료-서울", 4), ("staging", nil)])
    func theContextStandsInTheHeadLine(_ name: String, _ colour: UInt8?) {
        let context = ConsoleContext(name: name, colour: colour)
        for model in [Sample.model(context: context), Sample.model(isReadOnly: true, context: context)] {
            let screen = model.screen
            #expect(screen.text.hasPrefix(" \(name)  chiladmin chil › overview"), "\(screen.text.prefix(80))")
            #expect(screen.text.prefix { $0 != "\n" }.contains("READ-ONLY") == model.settings.isReadOnly)
            let (field, rest) = (screen.row(0)[1].ink, screen.row(0)[CellWidth.of(name) + 3].ink)
            #expect(field.isReversed && field.isBold && field.foreground == (colour.map { .named($0) } ?? .standard))
            #expect(rest.isReversed && rest.foreground == .standard)
        }
        // A name as long as names may be leaves room for the rest.
        let long = ConsoleContext(name: String(repeating: "n", count: 63), colour: colour)
        let narrow = Sample.model(40, 10, isReadOnly: true, context: long).screen.text
        #expect(narrow.hasPrefix(" nnnnn…") && narrow.prefix { $0 != "\n" }.contains("READ-ONLY"), "\(narrow)")
    }

    // MARK: Faults

    @Test func whileTheDatabaseIsAwayItIsAskedMoreSeldom() {
        var driver = overview()
        var pauses: [Int64] = []
        for _ in 0..<6 {
            let begun = driver.model.now
            let before = driver.asked.count
            while driver.asked.count == before { driver.tick(1) }
            pauses.append((driver.model.now - begun).components.seconds)
            driver.send(.failed(driver.asked.lastPage?.token ?? 0, "away", isAway: true))
        }
        #expect(pauses == [2, 2, 4, 8, 16, 30])
        #expect(driver.model.pane.rows.count == 4, "what is known stays")
        let before = driver.asked.count
        while driver.asked.count == before { driver.tick(1) }
        driver.answer(Sample.tenants)
        #expect(driver.model.away == nil)
    }

    @Test func aFaultOfADescriptionClosesIt() {
        var driver = overview()
        driver.press(.text("d"))
        driver.send(.failed(driver.model.detailToken, "no such tenant", isAway: false))
        #expect(driver.model.overlay == .none)
        #expect(driver.model.notice?.tone == .alarm)
        driver.tick(8)
        #expect(driver.model.notice == nil)
    }

    // MARK: Leaving

    @Test(arguments: [
        [Key.text("q")], [.control("c")], [.text(":"), .text("q"), .enter], [.text("d"), .control("c")],
    ])
    func itIsLeft(_ keys: [Key]) {
        var driver = overview()
        let requests = keys.flatMap { driver.press($0) }
        #expect(requests.contains(.quit))
    }

    @Test func whatIsTypedIsNoKey() {
        var driver = overview()
        driver.press(.text("/"))
        driver.type("quiet?")
        #expect(!driver.asked.contains(.quit))
        #expect(driver.model.prompt?.editor.text == "quiet?")
    }

    @Test func theTerminalIsPaintedAnewWhenNobodyKnowsIt() {
        var driver = overview()
        for event in [ConsoleEvent.resized(ScreenSize(100, 40)), .resumed, .input(.key(.control("l")))] {
            let requests = driver.send(event)
            #expect(requests.first == .repaint)
        }
        let suspending = driver.press(.control("z"))
        #expect(suspending == [.suspend])
        let ending = driver.send(.ended)
        #expect(ending == [.quit])
    }

    /// Whatever is typed, it stands.
    @Test(arguments: 0..<20)
    func anyKeysAreBorne(_ seed: UInt64) {
        var random = Steps(state: seed &* 7_919 &+ 1)
        let keys: [Key] =
            "qgGjkdy? :/123456TNSRIDJQAsrbuoceinx한".map { .text($0) } + [
                .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .pageUp, .pageDown,
                .home, .end, .control("d"), .control("r"), .paste("클립보드\nx"),
            ]
        var driver = Driver(
            Sample.model(Int.random(in: 1...120, using: &random), Int.random(in: 1...40, using: &random))
        )
        let pages = [Sample.tenants, Sample.users, Sample.printers, ConsolePage([])]
        for _ in 0..<400 {
            driver.press(keys.randomElement(using: &random) ?? .enter)
            if Bool.random(using: &random) { driver.answer(pages.randomElement(using: &random) ?? Sample.users) }
            if Int.random(in: 0..<20, using: &random) == 0 {
                driver.send(
                    .resized(
                        ScreenSize(Int.random(in: 1...150, using: &random), Int.random(in: 1...50, using: &random))
                    )
                )
            }
            driver.tick(1)
            let screen = driver.model.screen
            #expect(screen.size == driver.model.size)
        }
    }
}

/// A sequence that is the same every time (SplitMix64).
private struct Steps: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
