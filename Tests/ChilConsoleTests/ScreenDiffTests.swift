import ChilTestSupport
import Testing

@testable import ChilConsole

@Suite struct ScreenDiffTests {
    /// From any screen to any other, a terminal that obeys shows the other.
    @Test(arguments: GoldenScreenTests.all)
    func aTerminalShowsWhatIsMeant(_ golden: GoldenScreenTests.Golden) {
        let screen = golden.make().screen
        for other in GoldenScreenTests.all.map({ $0.make().screen }) where other.size == screen.size {
            var terminal = TerminalEmulator(screen.size.width, screen.size.height)
            terminal.received(ScreenDiff.bytes(from: nil, to: other, depth: .exact))
            #expect(terminal.text == other.text)
            terminal.received(ScreenDiff.bytes(from: other, to: screen, depth: .exact))
            #expect(terminal.text == screen.text)
            #expect(!terminal.isInked)
            #expect(terminal.isCursorShown == (screen.cursor != nil))
        }
    }

    @Test func theSameAgainIsNothing() {
        let screen = Sample.model().screen
        #expect(ScreenDiff.bytes(from: screen, to: screen, depth: .exact).isEmpty)
    }

    @Test func oneCellMoreIsFewBytes() {
        let screen = Sample.model().screen
        var other = screen
        other.write("x", 40, 12)
        #expect(ScreenDiff.bytes(from: screen, to: other, depth: .exact).count < 50)
    }

    /// Wide characters that are half painted over leave no half behind.
    @Test(arguments: 0..<8)
    func halvesOfWideCharactersGo(_ x: Int) {
        var screen = Screen(ScreenSize(8, 1))
        screen.write("가나다라", 0, 0)
        screen.write("x", x, 0)
        #expect(screen.row(0).reduce(0) { $0 + Int($1.width) } == 8)
        #expect(screen.text.contains("x"))
        screen.write("한", max(0, x - 1), 0)
        #expect(screen.row(0).reduce(0) { $0 + Int($1.width) } == 8)
    }

    /// Emoji that take more cells than two, and names of nothing else: no part is left, and nothing traps.
    @Test(arguments: 0..<12)
    func partsOfWiderOnesGoToo(_ x: Int) {
        var screen = Screen(ScreenSize(12, 1))
        screen.write("a👍🏽🏃🏽\u{200D}♀\u{FE0F}b🏻", 0, 0)
        #expect(screen.row(0).map(\.width) == [1, 4, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0])
        screen.write("x", x, 0)
        #expect(screen.row(0).reduce(0) { $0 + Int($1.width) } == 12)
        #expect(screen.text.contains("x"))
        let hands = "👍" + String(repeating: "🏽", count: 400)
        screen.fit(hands, 0, 0, width: 12)
        #expect(screen.row(0).reduce(0) { $0 + Int($1.width) } == 12)
        var wide = Screen(ScreenSize(1_000, 1))
        wide.write(hands, 0, 0)
        #expect(wide.row(0).reduce(0) { $0 + Int($1.width) } == 1_000)
    }

    /// Terminals that take odd emoji otherwise than we do still have everything else where it belongs.
    @Test(arguments: ["as many draw them", "all of one cell"])
    func nothingElseIsMisplaced(_ name: String) {
        let isNarrow = name == "all of one cell"
        var screen = Screen(ScreenSize(30, 2))
        screen.write("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 0, 0)
        screen.write("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 0, 1)
        var terminal = TerminalEmulator(30, 2)
        terminal.widthOf = { letter in
            let cells = CellWidth.of(cluster: letter)
            if isNarrow { return min(1, cells) }
            return cells > 2 || letter == "❤\u{FE0F}" ? 2 : cells
        }
        terminal.received(ScreenDiff.bytes(from: nil, to: screen, depth: .none))
        var other = screen
        other.write("❤\u{FE0F}|👍🏽|👩\u{200D}👧|a\u{FE0F}|1\u{FE0F}\u{20E3}|漢|🇰🇷|", 0, 0)
        terminal.received(ScreenDiff.bytes(from: screen, to: other, depth: .none))
        let bars = other.row(0).indices.filter { other.row(0)[$0].text == "|" }
        #expect(bars.count == 7)
        for bar in bars { #expect(terminal.cell(bar, 0) == "|", "\(name): \(bar)") }
        for x in other.row(0).indices where other.row(0)[x].width > 0 && bars.contains(x - 1) {
            #expect(terminal.cell(x, 0) == other.row(0)[x].text, "\(name): \(x)")
        }
        #expect(terminal.cell(29, 0) == "x" && terminal.cell(0, 1) == "x")
        // Nothing of before shows between.
        #expect(!(0..<bars[6]).contains { terminal.cell($0, 0) == "x" }, "\(name): \(terminal.text)")
    }

    @Test(arguments: [
        (TerminalAbility.Depth.none, ""), (.eight, ";31;44"), (.palette, ";38;5;196;48;5;21"),
        (.exact, ";38;2;255;0;0;48;2;0;0;255"),
    ])
    func coloursAreAsTheTerminalHasThem(_ depth: TerminalAbility.Depth, _ codes: String) {
        var screen = Screen(ScreenSize(2, 1))
        var ink = Ink()
        ink.foreground = .exact(RGB(255, 0, 0))
        ink.background = .exact(RGB(0, 0, 255))
        screen.put("x", 1, 0, 0, ink)
        let text = String(decoding: ScreenDiff.bytes(from: nil, to: screen, depth: depth), as: UTF8.self)
        #expect(text.contains("\u{1B}[0\(codes)mx"))
    }

    @Test func withoutColoursThereAreNone() {
        for golden in GoldenScreenTests.all {
            let screen = golden.make().screen
            var terminal = TerminalEmulator(screen.size.width, screen.size.height)
            terminal.received(ScreenDiff.bytes(from: nil, to: screen, depth: .none))
            #expect(!terminal.hasColour, "\(golden.name)")
        }
    }
}
