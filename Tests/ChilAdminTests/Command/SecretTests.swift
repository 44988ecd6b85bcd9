import Testing

@testable import ChilAdmin

/// Secrets that are in no file: asked for where somebody is, a usage error where nobody is.
@Suite struct SecretTests {
    private static let set = "client set chillin --team A1B2C3D4E5 --key-id F6G7H8I9J0"
    private static let epson = "printer add chillin --name e --kind epson-v2 --client-id c"

    private func run(_ line: String, _ terminal: FakeTerminal) async -> (Run, FakeServices) {
        let services = FakeServices()
        let words = line.split(separator: " ").map(String.init)
        let run = await Run(words, console: RecordingConsole(), environment: [:], terminal: terminal) { _ in services }
        return (run, services)
    }

    @Test(arguments: [
        (set, ["--p8-file"]), (set + " --p8-file -", ["--p8-file"]), (set + " --p8-file k.p8", []),
        (epson, ["--client-secret-file", "--api-key-file"]), (epson + " --client-secret-file s", ["--api-key-file"]),
        (epson + " --api-key-file -", ["--client-secret-file", "--api-key-file"]),
        (
            "printer add chillin --name e --kind epson-v1 --client-id c --address a@print.epsonconnect.com",
            ["--client-secret-file"]
        ),
        ("generator add chillin --kind openai --model m --key-file -", ["--key-file"]),
        ("generator add chillin --kind openai --model m", []),
        ("generator update chillin 9 --key-file -", ["--key-file"]),
        ("motion add chillin --url https://m.example --key-file -", ["--key-file"]),
        ("motion update chillin 9 --timeout 3m", []), ("client set chillin --token-age-max 600", []),
    ])
    func whatIsMissingIsAskedFor(_ line: String, _ flags: [String]) async {
        let (run, services) = await run(line, FakeTerminal("s3cret"))
        #expect(run.status == .success, "\(run.err)")
        #expect(services.asked.prefix(flags.count) == flags.map { "secret \($0) s3cret" }[...], "\(services.asked)")
        #expect(services.asked.count { $0.hasPrefix("secret ") } == flags.count)
        #expect(
            run.err.components(of: "(it is not shown): ") == flags.count && !run.err.contains("s3cret"),
            "\(run.err)"
        )
    }

    /// Before anything is locked, and nothing is done then.
    @Test(arguments: [nil as String?, ""])
    func noAnswerDoesNothing(_ said: String?) async {
        let terminal = said.map { FakeTerminal($0) } ?? FakeTerminal(endsAtOnce: ())
        let (run, services) = await run(Self.set, terminal)
        #expect(run.status == .cancelled)
        #expect(services.asked.isEmpty && services.holds.isEmpty && services.isClosed)
        #expect(run.err.hasSuffix("chiladmin: cancelled\nNothing was done.\n"), "\(run.err)")
    }

    @Test(arguments: [
        (set, "--p8-file is missing"), (epson, "--client-secret-file is missing"),
        (epson + " --client-secret-file s", "--api-key-file is missing"),
        (
            epson + " --client-secret-file - --api-key-file -",
            "--client-secret-file and --api-key-file are both standard input"
        ),
    ])
    func whereNobodyIsItIsAUsageError(_ line: String, _ said: String) async {
        let (run, services) = await run(line, FakeTerminal(nil))
        #expect(run.status == .usage && services.asked.isEmpty)
        #expect(run.err.hasPrefix("chiladmin: \(said)\n"), "\(run.err)")
    }

    @Test func aFileIsEnoughWhereNobodyIs() async {
        let (run, services) = await run(Self.epson + " --client-secret-file s --api-key-file -", FakeTerminal(nil))
        #expect(run.status == .success && !services.asked.contains { $0.hasPrefix("secret ") }, "\(run.err)")
    }
}

extension String {
    /// How often a text is in it.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
