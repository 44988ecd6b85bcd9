import Testing

@testable import ChilAdmin

/// What stands between a word and its harm.
@Suite struct SafetyTests {
    private static let severe = [
        "tenant delete chillin", "user delete chillin 7", "erasure done chillin 9", "key revoke chillin key-1",
        "client remove chillin --client-id a.b", "printer remove chillin office --cancel-jobs",
        "image move --to s3 --tenant chillin",
    ]

    private func run(_ line: String, _ services: FakeServices, _ terminal: FakeTerminal) async -> Run {
        let words = line.split(separator: " ").map(String.init)
        return await Run(words, console: RecordingConsole(), environment: [:], terminal: terminal) { _ in services }
    }

    @Test(arguments: severe)
    func withoutATerminalTheWordIsWanted(_ line: String) async {
        let services = FakeServices()
        let run = await run(line, services, FakeTerminal(nil))
        #expect(run.status == .usage && run.err.contains("--confirm is missing"), "\(run.err)")
        #expect(run.err.contains("--confirm=chillin"))
        #expect(services.asked.isEmpty && services.holds.isEmpty)
        let wrong = await self.run(line + " --confirm=other", services, FakeTerminal("chillin"))
        #expect(wrong.status == .usage && wrong.err.contains("'other' is not 'chillin'"), "\(wrong.err)")
        #expect(services.asked.isEmpty && services.holds.isEmpty)
    }

    @Test(arguments: severe)
    func atATerminalTheWordIsAskedFor(_ line: String) async {
        for said in ["", "y", "yes", "Chillin", "chillin ", "other"] {
            let services = FakeServices()
            let run = await run(line, services, FakeTerminal(said))
            #expect(run.status == .cancelled && run.out.isEmpty, "\(said): \(run.err)")
            #expect(
                run.err
                    == "This does it: 1,234 drawings.\nDatabase chil, as ann. Nothing brings it back.\n"
                    + "Type chillin to go on: chiladmin: cancelled\nNothing was done.\n"
            )
            #expect(services.asked.isEmpty && services.holds.isEmpty)
        }
        let ended = FakeServices()
        #expect(await run(line, ended, FakeTerminal(endsAtOnce: ())).status == .cancelled)
        #expect(ended.asked.isEmpty)
        let services = FakeServices()
        #expect(await run(line, services, FakeTerminal("chillin")).status == .success)
        #expect(!services.asked.isEmpty)
    }

    @Test(arguments: severe)
    func aDryRunAsksNobody(_ line: String) async {
        let services = FakeServices()
        let run = await run(line + " --dry-run", services, FakeTerminal(nil))
        if line.hasPrefix("image") {
            #expect(run.status == .usage && run.err.contains("cannot be tried"))
        } else {
            #expect(run.status == .success && services.holds == ["tried"], "\(run.err)")
            #expect(run.err.contains("1,234 drawings") && run.err.contains("Dry run: nothing was changed.\n"))
        }
    }

    @Test func onlyWhatHarmsIsSevere() async {
        for line in ["printer remove chillin office", "printer unshare chillin office --with other", "distribute"] {
            #expect(await run(line, FakeServices(), FakeTerminal(nil)).status == .success)
        }
    }

    @Test func everyCommandSaysWhatItTouches() {
        for entry in CommandTable.standard.commands { #expect(entry.effect != .undeclared, "\(entry.guide.name)") }
    }

    @Test(arguments: CommandSample.all)
    func aDryRunIsHeldOrRefused(_ sample: CommandSample) async throws {
        let services = FakeServices()
        let entry = try #require(CommandTable.standard.commands.first { $0.guide.name == sample.path })
        let run = await Run(sample.line + " --dry-run", services: services)
        if entry.effect.isWriting {
            #expect(run.status == .success && services.holds == ["tried"], "\(run.err)")
        } else {
            #expect(run.status == .usage && services.asked.isEmpty && services.holds.isEmpty)
            #expect(run.err.contains("Leave --dry-run out."), "\(run.err)")
        }
    }

    @Test(arguments: CommandSample.all)
    func whatWritesTheDatabaseAloneIsKeptAtItsEnd(_ sample: CommandSample) async throws {
        let services = FakeServices()
        let entry = try #require(CommandTable.standard.commands.first { $0.guide.name == sample.path })
        _ = await Run(sample.line, services: services)
        #expect(services.holds == (entry.effect == .writes ? ["held", "kept"] : []))
        let failing = FakeServices()
        failing.fault = AdminFault(.failed, "no", remedy: "Try.")
        _ = await Run(sample.line, services: failing)
        #expect(!failing.holds.contains("kept"))
    }
}
