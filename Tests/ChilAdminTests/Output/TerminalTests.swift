import Foundation
import Testing

@testable import ChilAdmin

/// What a terminal gets: as wide as it is, coloured where wanted, a screen at a time.
@Suite struct TerminalTests {
    private func run(_ line: String, _ names: [String], columns: Int, rows: Int = 24) async -> RecordingConsole {
        let console = RecordingConsole(isTerminal: true)
        console.outputSize = TerminalSize(columns: columns, rows: rows)
        let services = FakeServices()
        services.tenantRows = names.enumerated().map { Sample.tenant(named: $1, slug: "tenant-number-\($0)") }
        _ = await Run(line, services: services, console: console, environment: ["NO_COLOR": "1"])
        return console
    }

    @Test(arguments: [80, 100, 200])
    func tablesAreCutToTheTerminal(_ columns: Int) async throws {
        let long = String(repeating: "칠하다 👩‍👩‍👧 ", count: 20)
        let names = try naughtyStrings() + [long, "\u{1B}[2J", "a\nb"]
        let console = await run("tenant list --no-pager", names, columns: columns)
        let lines = console.out.split(separator: "\n")
        #expect(lines.count == names.count + 1)
        #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= columns })
        #expect(console.out.contains("…"))
        for number in names.indices { #expect(lines[number + 1].hasPrefix("tenant-number-\(number) ")) }
        #expect(lines.dropFirst().allSatisfy { $0.hasSuffix("+00:00") || $0.contains("2026-11-30 ") })
    }

    @Test func nothingIsCutInAPipe() async {
        let services = FakeServices()
        let long = String(repeating: "x", count: 500)
        services.tenantRows = [Sample.tenant(named: long, slug: "a")]
        #expect(await Run("tenant list", services: services).out.contains(long))
    }

    /// A column that does not fit goes as a whole; whoever asks for it gets it, and a line that is too long.
    @Test(arguments: [
        (10, "SLUG  …\ntenant-number-0\n"),
        (20, "SLUG  …\ntenant-number-0\n"),
        (40, "SLUG             NAME  STATE   GUEST  …\ntenant-number-0  name  active  no\n"),
    ])
    func whatIsTypedAgainIsNeverCut(_ columns: Int, _ text: String) async {
        #expect(await run("tenant list", ["name"], columns: columns).out == text)
        for line in ["tenant list -o wide --no-pager", "tenant list --field slug,createdAt --no-pager"] {
            let all = await run(line, ["name"], columns: columns).out
            #expect(all.contains("tenant-number-0") && all.contains("2026-11-30 "))
        }
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("칠하다", 5, "칠하…"), ("칠하다", 4, "칠…"), ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"), ("abc", 1, "…"),
        ("abc", 0, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
    func texts(_ text: String, _ width: Int, _ cut: String) {
        #expect(DisplayWidth.cut(text, to: width) == cut)
    }

    @Test(arguments: [
        (["PAGER": "more"], ["more"]), (["CHIL_PAGER": "less -R", "PAGER": "more"], ["less", "-R"]), ([:], ["less"]),
        (["CHIL_PAGER": "", "PAGER": "more"], nil), (["PAGER": "cat"], nil), (["TERM": "dumb"], nil),
        (["PAGER": "less; rm -rf x"], ["less;", "rm", "-rf", "x"]),
    ])
    func longAnswersArePaged(_ environment: [String: String], _ words: [String]?) async {
        let console = RecordingConsole(isTerminal: true)
        console.outputSize = TerminalSize(columns: 80, rows: 5)
        let services = FakeServices()
        services.tenantRows = (0..<10).map { Sample.tenant(named: "n", slug: "t\($0)") }
        _ = await Run("tenant list", services: services, console: console, environment: environment)
        #expect(console.paged.first?.pager.words == words)
        #expect(console.out.isEmpty == (words != nil))
        let short = RecordingConsole(isTerminal: true)
        short.outputSize = TerminalSize(columns: 80, rows: 24)
        _ = await Run("tenant list", services: services, console: short, environment: environment)
        #expect(short.paged.isEmpty && !short.out.isEmpty)
        let asked = RecordingConsole(isTerminal: true)
        asked.outputSize = TerminalSize(columns: 80, rows: 5)
        _ = await Run("tenant list --no-pager", services: services, console: asked, environment: environment)
        #expect(asked.paged.isEmpty && !asked.out.isEmpty)
    }

    /// What to do next is never cut: where it does not fit it stands below.
    @Test(arguments: [
        (
            nil,
            "CHECK    STATE  FINDING             REMEDY\nclock    ok     it is right         -\nclients  warn   nobody can sign in  Add one of them.\n"
        ),
        (
            52,
            "CHECK    STATE  FINDING             REMEDY\nclock    ok     it is right         -\nclients  warn   nobody can sign in  Add one of them.\n"
        ),
        (
            51,
            "CHECK    STATE  FINDING\nclock    ok     it is right\nclients  warn   nobody can sign in\n  Add one of them.\n"
        ),
        (
            30,
            "CHECK    STATE  FINDING\nclock    ok     it is right\nclients  warn   nobody can si…\n  Add one of them.\n"
        ),
    ])
    func adviceIsWhole(_ width: Int?, _ text: String) {
        let rows = [
            DoctorRow(check: .clock, state: .ok, finding: "it is right"),
            DoctorRow(check: .clients, state: .warn, finding: "nobody can sign in", remedy: "Add one of them."),
        ]
        var presentation = Presentation()
        presentation.width = width
        #expect(Table(columns: DoctorRow.columns, rows: rows, presentation).text == text)
    }

    @Test func withoutAPagerItIsWritten() async {
        let console = RecordingConsole(isTerminal: true)
        console.outputSize = TerminalSize(columns: 80, rows: 2)
        console.hasPager = false
        let run = await Run("tenant show chillin", console: console)
        #expect(run.status == .success)
        #expect(run.out.contains("chillin"))
    }

    @Test(arguments: [
        ([:], true, true), ([:], false, false), (["NO_COLOR": "1"], true, false), (["TERM": "dumb"], true, false),
        (["CLICOLOR": "0"], true, false), (["CLICOLOR_FORCE": "1"], false, true),
        (["CLICOLOR_FORCE": "0"], false, false),
        (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], true, false),
    ])
    func colours(_ environment: [String: String], _ isTerminal: Bool, _ isColoured: Bool) {
        let given = Environment { environment[$0] }
        #expect(Style(environment: given, onTerminal: isTerminal, noColour: false).isColoured == isColoured)
        #expect(!Style(environment: given, onTerminal: isTerminal, noColour: true).isColoured)
    }
}
