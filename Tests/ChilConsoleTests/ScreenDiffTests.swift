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
