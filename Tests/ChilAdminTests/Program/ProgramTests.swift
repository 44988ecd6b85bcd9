import Testing

@testable import ChilAdmin

@Suite struct ProgramTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let line: String
        let err: String
        var testDescription: String { line }

        init(_ line: String, _ err: String) { (self.line, self.err) = (line, err) }
    }

    @Test(arguments: [
        Row("tennant list", "chiladmin: unknown command 'tennant'\nDid you mean tenant?\n"),
        Row("tenant lsit", "chiladmin: unknown command 'tenant lsit'\nDid you mean tenant list?\n"),
        Row("tenant delet x", "chiladmin: unknown command 'tenant delet'\nDid you mean tenant delete?\n"),
        Row("xyzzy", "chiladmin: unknown command 'xyzzy'\n`chiladmin --help` shows the commands.\n"),
        Row(
            "client frobnicate",
            "chiladmin: unknown command 'client frobnicate'\n`chiladmin client --help` shows what can be done with it.\n"
        ),
        Row("ten list", "chiladmin: unknown command 'ten'\n`chiladmin --help` shows the commands.\n"),
        Row(
            "--name x tenant create",
            "chiladmin: unknown flag '--name'\nA command's own flags stand after its noun and verb.\n"
        ),
        Row("tenant list -o yaml", "chiladmin: --output: 'yaml' is not one of table, wide, json, ndjson, csv, name\n"),
        Row(
            "tenant list -o",
            "chiladmin: --output needs a value: --output table|wide|json|ndjson|csv|name\nA value that begins with -- is written --output=--value.\n"
        ),
        Row("help colours", "chiladmin: unknown topic 'colours'\n`chiladmin help` shows the topics.\n"),
        Row("help exit-code", "chiladmin: unknown topic 'exit-code'\nDid you mean exit-codes?\n"),
    ])
    func mistakesAreUsageErrors(_ row: Row) async {
        let run = await Run(row.line)
        #expect(run.status == .usage)
        #expect(run.out.isEmpty)
        #expect(run.err == row.err)
    }

    @Test func noWordsShowTheFrontPageAsAMistake() async {
        let run = await Run([])
        #expect(run.status == .usage)
        #expect(run.out.isEmpty)
        #expect(run.err == (await Run("--help").out))
        #expect(run.err == (await Run("help").out))
    }

    @Test func versionIsOneLine() async {
        let run = await Run("--version")
        #expect(run.status == .success)
        #expect(run.out == "chiladmin \(Program.version)\n")
        #expect(await Run("tenant list --version").out == run.out)
    }

    @Test(arguments: [
        "-o json tenant list", "tenant -o json list", "tenant list -o json", "--output=json tenant list",
        "tenant list -o=json",
        "--no-color --database-url x -o json tenant list",
    ])
    func globalFlagsMayStandAnywhere(_ line: String) async {
        let run = await Run(line)
        #expect(run.status == .success)
        #expect(run.out.first == "[")
    }

    @Test func theFlagBeatsTheEnvironment() throws {
        let environment = Environment { ["CHIL_DATABASE_URL": "env", "USER": "ann", "CHIL_KEY_FILE": ""][$0] }
        #expect(try Settings(environment: environment, databaseURL: nil).databaseURL == "env")
        #expect(try Settings(environment: environment, databaseURL: "flag").databaseURL == "flag")
        #expect(try Settings(environment: environment, databaseURL: nil).operatorName == "ann")
        #expect(try Settings(environment: environment, databaseURL: nil).keyFile == nil)
    }

    /// The audit keeps it for good.
    @Test(arguments: [
        ["CHIL_OPERATOR": String(repeating: "a", count: 121)], ["CHIL_OPERATOR": "\u{1B}[31mroot"],
        ["CHIL_OPERATOR": "ann\nbob", "USER": "ann"], ["CHIL_OPERATOR": "a\u{202E}b"], ["USER": "a\tb"],
    ])
    func whoActsHasAName(_ environment: [String: String]) async {
        let services = FakeServices()
        let run = await Run("tenant suspend chillin", services: services, environment: environment)
        #expect(run.status == .usage)
        #expect(run.err.contains("is not a name of 1 to 120 characters") && run.err.contains("set CHIL_OPERATOR"))
        #expect(!run.err.utf8.contains(0x1B))
        #expect(services.asked.isEmpty && !services.isClosed)
        for right in ["ann", "칠하다 김", String(repeating: "a", count: 120)] {
            #expect(await Run("tenant list", environment: ["CHIL_OPERATOR": right]).status == .success)
        }
        #expect(await Run("--help", environment: environment).status == .success)
    }

    @Test(arguments: [
        ([:], true), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], true), (["TERM": "dumb"], false),
        (["TERM": "xterm"], true),
    ])
    func coloursOnlyWhereWanted(_ environment: [String: String], _ coloured: Bool) async {
        let run = await Run("tenant list", console: RecordingConsole(isTerminal: true), environment: environment)
        #expect(run.out.utf8.contains(0x1B) == coloured)
        let plain = await Run(
            "tenant list --no-color",
            console: RecordingConsole(isTerminal: true),
            environment: environment
        )
        #expect(!plain.out.utf8.contains(0x1B))
        let fault = await Run(
            "tenant show nobody",
            console: RecordingConsole(isTerminal: true),
            environment: environment
        )
        #expect(fault.err.utf8.contains(0x1B) == coloured)
    }

    @Test func aReaderThatGoesEarlyIsNoFailure() async {
        let console = RecordingConsole()
        console.outputFault = .readerGone
        let run = await Run("tenant list", console: console)
        #expect(run.status == .success)
        #expect(run.err.isEmpty)
    }

    @Test func aFullDiskIsAFailure() async {
        let console = RecordingConsole()
        console.outputFault = .failed(28)
        let run = await Run("tenant list", console: console)
        #expect(run.status == .outputFailed)
        #expect(run.err.contains("errno 28"))
    }

    @Test func exitStatusesAreDocumented() async {
        let page = await Run("help exit-codes").out
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 4, 64, 65, 67, 69, 70, 73, 74, 75, 77, 78])
        for status in ExitCode.allCases { #expect(page.contains(status.meaning)) }
    }

    @Test func anUnknownTenantIs67() async {
        let run = await Run("tenant show nobody")
        #expect(run.status == .notFound)
        #expect(run.err == "chiladmin: no tenant 'nobody'\n`chiladmin tenant list` shows the tenants.\n")
    }
}
