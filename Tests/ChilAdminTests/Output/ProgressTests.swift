import Testing

@testable import ChilAdmin

/// The bar of long work, and the lines that stand for it where there is no terminal.
@Suite struct ProgressTests {
    /// A clock that is set, a terminal that may change, and what was said.
    private final class Stage {
        var now: Int64 = 5_000
        var columns: Int?
        var said: [String] = []

        init(_ columns: Int?) { self.columns = columns }

        func progress(of total: Int64?, isUTF8: Bool = true) -> Progress {
            let style = Progress.Style(columns: { self.columns }, isUTF8: isUTF8, clock: { self.now })
            return Progress("key reseal", of: total, "tenants", style) { self.said.append($0) }
        }

        /// What a terminal's line shows after all of it.
        var line: String {
            var cells: [Character] = []
            var at = 0
            for character in said.joined() {
                if character == "\r" {
                    at = 0
                } else if at < cells.count {
                    cells[at] = character
                    at += 1
                } else {
                    cells.append(character)
                    at += 1
                }
            }
            var text = String(cells)
            while text.hasSuffix(" ") { text.removeLast() }
            return text
        }
    }

    @Test(arguments: [
        (0, 10 as Int64?, 80, true, "key reseal  ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░  0 of 10 tenants, 0 %"),
        (5, 10, 80, true, "key reseal  ███████████████░░░░░░░░░░░░░░░  5 of 10 tenants, 50 %, 10 s left"),
        (10, 10, 80, true, "key reseal  ██████████████████████████████  10 of 10 tenants, 100 %"),
        (11, 10, 80, false, "key reseal  ##############################  11 of 10 tenants, 100 %"),
        (5, 10, 60, false, "key reseal  #######.......  5 of 10 tenants, 50 %, 10 s left"),
        (5, 10, 40, false, "key reseal  5 of 10 tenants, 50 %, 10 s…"), (5, 10, 12, true, "key reseal …"),
        (5, 10, 1, true, "…"), (5, 10, 0, true, ""),
        (1_234, nil, 80, true, "key reseal  1,234 tenants"),
        (0, 0, 80, false, "key reseal  ##############################  0 of 0 tenants, 100 %"),
    ])
    func lookOfTheBar(_ done: Int64, _ total: Int64?, _ columns: Int, _ isUTF8: Bool, _ text: String) {
        let line = ProgressLine(what: "key reseal", done: done, total: total, unit: "tenants", milliseconds: 9_900)
        let shown = line.text(columns: columns, isUTF8: isUTF8)
        #expect(shown == text)
        #expect(DisplayWidth.of(shown) <= columns)
    }

    /// Names of any cells, terminals of any width: never wider, and nothing that a terminal would obey.
    @Test func neverWider() {
        for what in ["칠하다 내보내기", "👩‍👩‍👧👍🏽❤️", "a\u{1B}[31m\nb", "", String(repeating: "한", count: 90)] {
            for columns in 0...130 {
                for total in [nil, 7 as Int64?] {
                    let line = ProgressLine(what: what, done: 3, total: total, unit: "명", milliseconds: 5_000)
                    let text = line.text(columns: columns, isUTF8: true)
                    #expect(DisplayWidth.of(text) <= columns, "\(what), \(columns)")
                    #expect(!text.unicodeScalars.contains { CleanText.isUnsafe($0) })
                }
            }
        }
    }

    @Test(
        arguments: [
            (1_000, "10 s"), (9_000, "1 min"), (60_000, "9 min"), (360_000, "54 min"), (3_600_000, "9 h"),
            (Int64.max / 1_000, "100 h"),
        ] as [(Int64, String)]
    )
    func howLongItTakes(_ milliseconds: Int64, _ left: String) {
        let line = ProgressLine(what: "x", done: 1, total: 10, unit: "y", milliseconds: milliseconds)
        #expect(line.plain.hasSuffix(milliseconds < 2_000 ? "10 %" : ", \(left) left"), "\(line.plain)")
    }

    @Test func whatIsDoneAtOnceSaysNothing() {
        for columns in [nil, 80] {
            let stage = Stage(columns)
            let progress = stage.progress(of: 10)
            for done in 0...10 {
                progress.reached(Int64(done))
                stage.now += 20
            }
            progress.end()
            #expect(stage.said.isEmpty)
        }
    }

    @Test func aBarMovesAndGoes() {
        let stage = Stage(60)
        let progress = stage.progress(of: 100)
        for done in 1...100 {
            stage.now += 50
            progress.reached(Int64(done))
        }
        #expect(
            stage.line.hasPrefix("key reseal  ███") && stage.line.hasSuffix("  100 of 100 tenants, 100 %"),
            "\(stage.line)"
        )
        #expect((40...60).contains(stage.said.count), "it moves ten times a second: \(stage.said.count)")
        // No line's end and no colour: all of it in one line.
        #expect(!stage.said.joined().contains { $0 == "\n" || $0 == "\u{1B}" })
        progress.end()
        #expect(stage.line.isEmpty)
        stage.now += 10_000
        progress.reached(100)
        #expect(stage.line.isEmpty, "what has ended says nothing more")
    }

    /// The terminal is made narrower while the bar stands there, and wider again.
    @Test func itFollowsTheTerminalsWidth() {
        let stage = Stage(100)
        let progress = stage.progress(of: 100)
        for columns in [100, 40, 20, 1, 80] {
            stage.columns = columns
            stage.now += 1_000
            stage.said = []
            progress.reached(50)
            #expect(
                stage.said.allSatisfy { DisplayWidth.of($0.replacing("\r", with: "")) <= max(0, columns - 1) },
                "\(columns)"
            )
        }
    }

    @Test func withoutATerminalThereAreLines() {
        let stage = Stage(nil)
        let progress = stage.progress(of: 1_000)
        for done in 1...1_000 {
            stage.now += 35
            progress.reached(Int64(done))
        }
        progress.end()
        #expect(
            stage.said == [
                "key reseal: 286 of 1,000 tenants, 28 %, 25 s left\n",
                "key reseal: 572 of 1,000 tenants, 57 %, 15 s left\n",
                "key reseal: 858 of 1,000 tenants, 85 %, 5 s left\n",
            ],
            "\(stage.said)"
        )
    }

    @Test(arguments: [
        (["TERM": "xterm", "LANG": "C.UTF-8"], true, true), (["TERM": "dumb", "LANG": "C.UTF-8"], false, true),
        (["LANG": "ko_KR.utf8"], false, true), (["TERM": "xterm", "LC_ALL": "C", "LANG": "C.UTF-8"], true, false),
        (["TERM": "xterm", "NO_COLOR": "1"], true, false), (["TERM": "xterm", "LC_CTYPE": "en_US.UTF-8"], true, true),
    ])
    func asTheTerminalCan(_ variables: [String: String], _ isBar: Bool, _ isUTF8: Bool) {
        let style = Progress.Style(environment: Environment { variables[$0] }, columns: { 80 })
        #expect((style.columns() != nil) == isBar && style.isUTF8 == isUTF8)
        #expect(Progress.Style(environment: Environment { variables[$0] }, columns: { nil }).columns() == nil)
    }
}
