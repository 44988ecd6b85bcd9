import ChilCrypto
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// The built program at a terminal: secrets are asked for, not shown, and the terminal shows again what is typed afterwards.
@Suite struct LiveSecretTests {
    private static func withDatabase(_ body: (LiveDatabase) async throws -> Void) async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        #expect(await live.run("client add chillin --client-id com.example.app").status == .success)
        try await body(live)
        try await live.remove()
    }

    private static func open(_ live: LiveDatabase, _ line: String) throws -> Pseudoterminal {
        let words = [LiveConsoleTests.program] + line.split(separator: " ").map(String.init)
        return try Pseudoterminal(words, width: 120, environment: LiveConsoleTests.environment(live))
    }

    private static let setting = "client set chillin --team A1B2C3D4E5 --key-id F6G7H8I9J0"

    private static func isEchoing(_ terminal: Pseudoterminal) -> Bool { terminal.settings[3] & UInt32(ECHO) != 0 }

    @Test(arguments: ["", " --p8-file -"])
    func aKeyIsPastedUnseen(_ flag: String) async throws {
        try await Self.withDatabase { live in
            let terminal = try Self.open(live, Self.setting + flag)
            let before = terminal.settings
            #expect(terminal.shows("The .p8 file's text"), "\(terminal.screen.text)")
            #expect(!Self.isEchoing(terminal))
            let pem = String(decoding: try ES256PrivateKey().pem().copy(), as: UTF8.self)
            terminal.type(pem.hasSuffix("\n") ? pem : pem + "\n")
            #expect(terminal.ended() == 0, "\(terminal.screen.text)")
            #expect(terminal.settings[3] | UInt32(ECHO) == before[3] | UInt32(ECHO) && Self.isEchoing(terminal))
            for line in pem.split(separator: "\n") { #expect(!terminal.screen.text.contains(line), "\(line)") }
            let shown = await live.run("client list chillin --field teamId,keyId,credentials -o json").out
            #expect(shown.contains("\"F6G7H8I9J0\"") && shown.contains("\"A1B2C3D4E5\""), "\(shown)")
        }
    }

    @Test func severalSecretsAreAskedForOneByOne() async throws {
        try await Self.withDatabase { live in
            let terminal = try Self.open(
                live,
                "printer add chillin --name epson --kind epson-v2 --client-id 0f8fad5bd9cb469fa165"
            )
            #expect(terminal.shows("The client's secret at Epson (it is not shown):"), "\(terminal.screen.text)")
            terminal.type("s3cret-of-the-client\n")
            #expect(terminal.shows("The API key at Epson (it is not shown):"), "\(terminal.screen.text)")
            #expect(!Self.isEchoing(terminal))
            terminal.type("4pi-key\n")
            #expect(terminal.ended() == 0, "\(terminal.screen.text)")
            #expect(Self.isEchoing(terminal))
            #expect(!terminal.screen.text.contains("s3cret") && !terminal.screen.text.contains("4pi-key"))
            #expect(await live.run("printer show chillin epson").status == .success)
        }
    }

    enum End: String, CaseIterable {
        case interrupt, endOfInput, nothing, terminate, hangup, quit, abort
    }

    /// Whatever ends the question: nothing was done, and what is typed is shown again.
    @Test(arguments: End.allCases)
    func theTerminalShowsAgainWhatIsTyped(_ end: End) async throws {
        try await Self.withDatabase { live in
            let terminal = try Self.open(live, Self.setting)
            let before = terminal.settings
            #expect(terminal.shows("The .p8 file's text"), "\(terminal.screen.text)")
            #expect(!Self.isEchoing(terminal))
            switch end {
            case .interrupt: terminal.type("\u{3}")
            case .endOfInput: terminal.type("\u{4}")
            case .nothing: terminal.type("\n")
            case .terminate: kill(terminal.child, SIGTERM)
            case .hangup: kill(terminal.child, SIGHUP)
            case .quit: terminal.type("\u{1C}")
            case .abort: kill(terminal.child, SIGABRT)
            }
            let status = try #require(terminal.ended(), "\(end)")
            switch end {
            case .endOfInput:
                #expect(status == ExitCode.cancelled.rawValue && terminal.screen.text.contains("Nothing was done."))
            // A line's end alone is no key.
            case .nothing: #expect(status == ExitCode.dataRefused.rawValue, "\(status): \(terminal.screen.text)")
            default: #expect(status != 0)
            }
            #expect(terminal.settings == before, "\(end)")
            #expect(!(await live.run("client list chillin -o json").out.contains("F6G7H8I9J0")))
        }
    }

    @Test func itIsStoppedAndGoesOn() async throws {
        try await Self.withDatabase { live in
            let shell = try Pseudoterminal(
                ["/bin/bash", "--noprofile", "--norc", "--noediting", "-i"],
                width: 120,
                environment: LiveConsoleTests.environment(live, ["setting": Self.setting])
            )
            #expect(shell.shows("$"))
            shell.type("$chiladmin $setting\n")
            #expect(shell.shows("The .p8 file's text"), "\(shell.screen.text)")
            #expect(shell.shows { _ in !Self.isEchoing(shell) })
            shell.type("\u{1A}")
            #expect(shell.shows("Stopped") && Self.isEchoing(shell), "\(shell.screen.text)")
            shell.type("fg\n")
            #expect(shell.shows { _ in !Self.isEchoing(shell) }, "\(shell.screen.text)")
            shell.type("\u{3}")
            #expect(shell.shows { _ in Self.isEchoing(shell) }, "\(shell.screen.text)")
            shell.type("exit 7\n")
            #expect(shell.ended() == 7)
        }
    }

    /// Where there is no terminal, `-` is what comes, and nothing is asked.
    @Test func standardInputIsRead() async throws {
        try await Self.withDatabase { live in
            let pem = String(decoding: try ES256PrivateKey().pem().copy(), as: UTF8.self)
            for (line, input, status) in [
                (Self.setting + " --p8-file -", pem, ExitCode.success),
                (Self.setting + " --p8-file -", "no key", .dataRefused),
                (Self.setting, pem, .usage),
                ("generator add chillin --kind openai --model gpt-image-1 --key-file -", "k-1\n", .success),
                (
                    "printer add chillin --name e --kind epson-v2 --client-id c --client-secret-file - --api-key-file -",
                    "s\n", .usage
                ),
            ] {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: LiveConsoleTests.program)
                process.arguments = line.split(separator: " ").map(String.init)
                process.environment = LiveConsoleTests.environment(live)
                let (given, said) = (Pipe(), Pipe())
                process.standardInput = given
                process.standardError = said
                process.standardOutput = FileHandle.nullDevice
                try process.run()
                try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
                try given.fileHandleForWriting.close()
                let talk = String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
                process.waitUntilExit()
                #expect(process.terminationStatus == status.rawValue, "\(line): \(talk)")
                #expect(!talk.contains("not shown"), "\(talk)")
            }
        }
    }
}
