import ChilCore
import Foundation
import Testing

@testable import ChilAdmin

@Suite struct PresentationTests {
    private static let hostile = [
        "plain", "", "--name", "a,b", "say \"hi\"", "a\nb", "a\tb", "\r\nx", "\u{1B}[2J", "=1+1", "@sum", " edge ",
        "칠하다", "한글", "👩‍👩‍👧", "\u{202E}gpj", "🇰🇷", "e\u{301}",
    ]

    private func printers(_ names: [String]) -> FakeServices {
        let services = FakeServices()
        services.printerRows = names.map(Sample.printer(named:))
        return services
    }

    @Test func wideHasEveryColumn() async {
        let run = await Run("tenant list -o wide")
        let begin = "SLUG     NAME     STATE   GUEST  TIME ZONE   CREATED AT            PURGE AT  SESSION IDLE"
        #expect(run.out.hasPrefix(begin))
        let headings = run.out.split(separator: "\n")[0].components(separatedBy: "  ").filter { !$0.isEmpty }
        #expect(headings.count == TenantRow.columns.count)
    }

    @Test func ndjsonIsAnObjectALine() async throws {
        let run = await Run("printer list chillin -o ndjson", services: printers(Self.hostile))
        let lines = run.out.split(separator: "\n")
        #expect(lines.count == Self.hostile.count)
        let names = try lines.map {
            try (JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])?["name"] as? String
        }
        #expect(names == Self.hostile)
    }

    @Test func csvComesBackAsItWas() async {
        let run = await Run("printer list chillin -o csv", services: printers(Self.hostile))
        #expect(!run.out.utf8.contains(0x1B))
        let rows = CSVReader.rows(run.out)
        #expect(rows.first == PrinterRow.columns.map(\.key))
        #expect(rows.dropFirst().map { $0[0] } == Self.hostile.map(Self.kept))
        #expect(rows.allSatisfy { $0.count == PrinterRow.columns.count })
        #expect(run.out.hasSuffix("\r\n"))
    }

    /// As CSV has it: all but what a terminal would obey.
    private static func kept(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isKept = scalar == "\n" || scalar == "\t"
            kept.append(contentsOf: isKept ? "\(scalar)".unicodeScalars : CleanText.clean("\(scalar)").unicodeScalars)
        }
        return String(kept)
    }

    @Test(arguments: [
        (Field.text("a"), "a"), (.text(""), "\"\""), (.text("=1+1"), "=1+1"), (.text("a,b"), "\"a,b\""),
        (.text("a\"b"), "\"a\"\"b\""), (.text("a\nb"), "\"a\nb\""), (.text(" a"), "\" a\""), (.number(-5), "-5"),
        (.flag(true), "true"), (.none, ""), (.list([]), "[]"), (.list(["a", "b"]), "\"[\"\"a\"\", \"\"b\"\"]\""),
        (.text("\u{1B}[2J"), "␛[2J"), (.text("a\r"), "a␍"),
    ])
    func csvValues(_ field: Field, _ text: String) {
        #expect(CSVText.value(field) == text)
    }

    @Test(arguments: [
        ("tenant list -o name", "chillin\n"), ("printer list chillin -o name", "office\n"),
        ("client list chillin -o name", "com.example.chilhada\n"),
        ("tenant list --no-headers --field slug", "chillin\n"),
        ("tenant show chillin --field createdAt", "2026-11-30T06:00:00Z\n"),
        ("tenant list --field name --field slug", "NAME     SLUG\nChillin  chillin\n"),
        ("tenant list --field name,slug -o csv", "name,slug\r\nChillin,chillin\r\n"),
        ("tenant list --field slug -o csv --no-headers", "chillin\r\n"),
        ("tenant list --field slug -o ndjson", "{\"slug\": \"chillin\"}\n"),
        ("tenant show chillin --field slug,state", "SLUG   chillin\nSTATE  active\n"),
        ("tenant show chillin --field slug -o json", "{\n  \"slug\": \"chillin\"\n}\n"),
    ])
    func membersAreChosen(_ line: String, _ out: String) async {
        let run = await Run(line)
        #expect(run.status == .success, "\(run.err)")
        #expect(run.out == out)
    }

    @Test(arguments: [
        ("tenant list --field slgu", "chiladmin: unknown field 'slgu'\nDid you mean slug?\n"),
        (
            "key list chillin --field slug,",
            "chiladmin: unknown field 'slug'\nIt has keyId, algorithm, state, createdAt, activatedAt, retiredAt.\n"
        ),
        (
            "tenant list --field slug -o name",
            "chiladmin: --field and -o name are given together\n-o name is --field slug --no-headers.\n"
        ),
        (
            "tenant list -o tabel",
            "chiladmin: --output: 'tabel' is not one of table, wide, json, ndjson, csv, name\nDid you mean table?\n"
        ),
    ])
    func wrongWordsAreUsageErrors(_ line: String, _ err: String) async {
        let services = FakeServices()
        let run = await Run(line, services: services)
        #expect(run.status == .usage)
        #expect(run.err.hasPrefix(String(err.prefix(40))), "\(run.err)")
        #expect(services.asked.isEmpty)
    }

    @Test func peopleAreToldTimesInTheirZone() async {
        let console = RecordingConsole(isTerminal: true)
        let program = Program(
            console: console,
            environment: Environment { ["NO_COLOR": "1"][$0] },
            makeServices: { _ in FakeServices() },
            terminal: FakeTerminal(nil),
            zone: LocalZone { _ in 9 * 3_600 }
        )
        #expect(await program.run(["tenant", "show", "chillin", "--field", "createdAt"]) == .success)
        #expect(await program.run(["tenant", "show", "chillin", "--field", "createdAt", "-o", "csv"]) == .success)
        #expect(console.out == "2026-11-30 15:00:00+09:00\ncreatedAt\r\n2026-11-30T06:00:00Z\r\n")
    }

    @Test(arguments: [(0, "+00:00"), (-12_600, "-03:30"), (45_900, "+12:45")])
    func zones(_ offset: Int, _ text: String) {
        let zone = LocalZone { _ in offset }
        #expect(zone.text(Timestamp(seconds: 1_796_000_000)).hasSuffix(text))
        #expect(zone.text(rfc3339: "soon") == nil)
    }

    /// Only what the names of columns say is a time becomes one: each that holds a time must be called so.
    @Test(arguments: CommandSample.speaking.filter { $0.path != "tenant export" })
    func timesAreNamedAsTimes(_ sample: CommandSample) async throws {
        let run = await Run(sample.line + " -o ndjson")
        for line in run.out.split(separator: "\n") {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            for (key, value) in object {
                guard let text = value as? String, Timestamp(rfc3339: text) != nil else { continue }
                #expect(Column<NoRow>(key) { _ in .none }.isMoment, "\(sample.path): \(key)")
            }
        }
    }
}

/// RFC 4180 as another program reads it.
enum CSVReader {
    static func rows(_ text: String) -> [[String]] {
        var rows: [[String]] = []
        var row: [String] = []
        var value = String.UnicodeScalarView()
        var isQuoted = false
        var scalars = Array(text.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\"" where isQuoted && scalars.first == "\"":
                value.append("\"")
                scalars.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.append(String(value))
                value = .init()
            case "\r" where !isQuoted && scalars.first == "\n":
                scalars.removeFirst()
                row.append(String(value))
                value = .init()
                rows.append(row)
                row = []
            default: value.append(scalar)
            }
        }
        return rows
    }
}
