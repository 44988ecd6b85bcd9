import Foundation
import Testing

@testable import ChilAdmin

@Suite struct EveryCommandTests {
    @Test func samplesCoverTheTable() {
        #expect(CommandSample.all.map(\.path) == CommandTable.standard.commands.map(\.guide.name))
        #expect(Set(CommandTable.standard.commands.map { $0.guide.path[0] }) == Set(CommandTable.nouns.map(\.name)))
    }

    @Test(arguments: CommandSample.all)
    func helpIsDataAndStartsWithExamples(_ sample: CommandSample) async {
        let run = await Run(sample.path + " --help")
        #expect(run.status == .success)
        #expect(run.err.isEmpty)
        #expect(run.out.hasPrefix("chiladmin \(sample.path): "))
        let headings = run.out.split(separator: "\n").filter { $0.first?.isUppercase ?? false }
        #expect(headings.first == "EXAMPLES")
        #expect(headings.contains("USAGE"))
        #expect(await Run("help " + sample.path).out == run.out)
        #expect(await Run(sample.line + " --no-such-flag -h").out == run.out)
    }

    @Test(arguments: CommandSample.asking)
    func aRightLineIsDone(_ sample: CommandSample) async {
        let services = FakeServices()
        let run = await Run(sample.line, services: services)
        #expect(run.status == .success, "\(run.err)")
        #expect(services.asked.count >= 1)
        #expect(services.isClosed)
    }

    @Test(arguments: CommandSample.all)
    func anUnknownFlagIsAUsageErrorWithASuggestion(_ sample: CommandSample) async {
        let services = FakeServices()
        let run = await Run(sample.line + " --databse-url x", services: services)
        #expect(run.status == .usage)
        #expect(run.out.isEmpty)
        #expect(run.err == "chiladmin: unknown flag '--databse-url'\nDid you mean --database-url?\n")
        #expect(services.asked.isEmpty)
    }

    @Test(arguments: CommandSample.all)
    func flagsAreNeverAbbreviated(_ sample: CommandSample) async {
        #expect(await Run(sample.line + " --outp json").status == .usage)
    }

    @Test(arguments: CommandSample.needy)
    func aMissingWordIsAUsageError(_ sample: CommandSample) async {
        let services = FakeServices()
        let run = await Run(sample.path, services: services)
        #expect(run.status == .usage)
        #expect(run.err.contains(" is missing\nUsage: chiladmin \(sample.path) "))
        #expect(services.asked.isEmpty)
    }

    @Test(arguments: CommandSample.all)
    func aWordTooManyIsAUsageError(_ sample: CommandSample) async {
        let run = await Run(sample.line + " surplus")
        #expect(run.status == .usage)
        #expect(run.err.hasPrefix("chiladmin: 'surplus' is one word too many\n"))
    }

    @Test(arguments: CommandSample.speaking)
    func jsonParses(_ sample: CommandSample) async throws {
        let console = RecordingConsole(isTerminal: true)
        let run = await Run(sample.line + " -o json", console: console)
        #expect(run.status == .success)
        #expect(run.out.hasSuffix("\n"))
        #expect(!run.out.utf8.contains(0x1B))
        _ = try JSONSerialization.jsonObject(with: Data(run.out.utf8))
    }

    @Test(arguments: CommandSample.all)
    func whatIsPipedHasNoEscape(_ sample: CommandSample) async {
        let formats = OutputFormat.allCases.map { "\(sample.line) -o \($0.rawValue)" }
        for line in formats + [sample.line, sample.path, sample.line + " --x", sample.path + " --help"] {
            let run = await Run(line)
            #expect(!run.out.utf8.contains(0x1B))
            #expect(!run.err.utf8.contains(0x1B))
        }
    }

    /// A doctor tells of a fault, and goes on.
    @Test(arguments: CommandSample.asking.filter { $0.path != "doctor" })
    func aFaultOfTheServicesDecidesTheStatus(_ sample: CommandSample) async {
        let services = FakeServices()
        services.fault = AdminFault(.databaseAway, "nobody\u{1B}[2J is there", remedy: "Start PostgreSQL.")
        let run = await Run(sample.line, services: services)
        #expect(run.status == .databaseAway)
        #expect(run.out.isEmpty)
        #expect(run.err == "chiladmin: nobody␛[2J is there\nStart PostgreSQL.\n")
    }

    @Test(
        arguments: CommandTable.nouns.map(\.name).filter {
            !["migrate", "distribute", "doctor", "console", "status", "version", "completion"].contains($0)
        }
    )
    func aNounAloneShowsItsVerbs(_ noun: String) async {
        let asked = await Run(noun + " --help")
        #expect(asked.status == .success)
        #expect(asked.err.isEmpty)
        let alone = await Run(noun)
        #expect(alone.status == .usage)
        #expect(alone.out.isEmpty)
        #expect(alone.err == asked.out)
        #expect(await Run("help " + noun).out == asked.out)
    }
}
