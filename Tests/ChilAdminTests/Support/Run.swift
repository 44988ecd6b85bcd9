@testable import ChilAdmin

/// One run of the program against fakes, and what came of it.
struct Run {
    let status: ExitCode
    let out: String
    let err: String

    init(
        _ words: [String],
        console: RecordingConsole,
        environment: [String: String],
        terminal: FakeTerminal = FakeTerminal(nil),
        makeServices: @escaping (Settings) -> any AdminServices
    ) async {
        let program = Program(
            console: console,
            environment: Environment { environment[$0] },
            makeServices: makeServices,
            terminal: terminal
        )
        status = await program.run(words)
        out = console.out
        err = console.err
    }

    init(
        _ words: [String],
        services: FakeServices = FakeServices(),
        console: RecordingConsole = RecordingConsole(),
        environment: [String: String] = [:]
    ) async {
        await self.init(words, console: console, environment: environment) { _ in services }
    }

    /// The words of a line without quotes.
    init(
        _ line: String,
        services: FakeServices = FakeServices(),
        console: RecordingConsole = RecordingConsole(),
        environment: [String: String] = [:]
    ) async {
        await self.init(
            line.split(separator: " ").map(String.init),
            services: services,
            console: console,
            environment: environment
        )
    }
}
