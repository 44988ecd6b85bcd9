import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

@Suite struct CompletionTests {
    private func complete(_ words: [String], _ services: FakeServices = FakeServices()) async -> [String] {
        let run = await Run(["__complete", "--"] + words, services: services)
        #expect(run.status == .success)
        #expect(run.err.isEmpty)
        return run.out.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        (["tenan"], ["tenant"]), (["tenant", "s"], ["show", "suspend"]), (["apple", ""], ["transfer"]),
        (["apple", "transfer", "e"], ["export"]), (["tenant", "show", ""], ["chillin"]),
        (["tenant", "show", "x"], []), (["tenant", "create", ""], []),
        (["printer", "show", "chillin", ""], ["office"]),
        (["tenant", "list", "-o", "n"], ["ndjson", "name"]), (["tenant", "list", "--output", "=", "cs"], ["csv"]),
        (["tenant", "list", "--output=cs"], ["csv"]), (["tenant", "list", "--no-h"], ["--no-headers"]),
        (["tenant", "list", "--field", "sl"], ["slug"]), (["--context", ""], ["production"]),
        (["context", "use", ""], ["production"]), (["completion", "z"], ["zsh"]), (["help", "exit"], ["exit-codes"]),
        (["help", "tenant", "del"], ["delete"]), (["job", "resolve", "chillin", "7", "n"], ["not-printed"]),
        (["xyzzy", ""], []), (["tenant", "list", "--", "-"], []),
    ])
    func words(_ words: [String], _ found: [String]) async {
        #expect(await complete(words) == found)
    }

    @Test func faultsAreSilent() async {
        let services = FakeServices()
        services.fault = AdminFault(.databaseAway, "away", remedy: "Start it.")
        #expect(await complete(["tenant", "show", ""], services).isEmpty)
        #expect(await complete(["printer", "show", "chillin", ""], services).isEmpty)
        #expect(await complete([]).contains("tenant"))
    }

    @Test func namesThatATerminalWouldObeyAreLeftOut() async {
        let services = FakeServices()
        services.printerRows = ["office", "$(id)", "a\u{202E}b"].map(Sample.printer(named:))
        #expect(await complete(["printer", "show", "chillin", ""], services).first == "office")
    }

    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("chiladmin").path

    /// The text of a shell that ran a script; nil: there is no such shell here.
    private func shell(_ name: String, _ script: String) throws -> String? {
        guard let path = ["/bin/", "/usr/bin/"].map({ $0 + name }).first(where: FileManager.default.isExecutableFile)
        else { return nil }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = (name == "zsh" ? ["-f"] : name == "fish" ? ["--no-config"] : ["--norc"]) + ["-c", script]
        let folder = URL(fileURLWithPath: Self.program).deletingLastPathComponent().path
        process.environment = [
            "PATH": "\(folder):/usr/bin:/bin", "HOME": "/nonexistent", "TERM": "dumb",
            "XDG_CONFIG_HOME": "/nonexistent",
        ]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let out = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: out, as: UTF8.self)
    }

    @Test(arguments: [
        ("chiladmin tenant s", "show\nsuspend\n"), ("chiladmin tenant list -o n", "ndjson\nname\n"),
        ("chiladmin tenant list --output = cs", "csv\n"),
    ])
    func bashCompletes(_ line: String, _ found: String) throws {
        let out = try shell(
            "bash",
            """
            source <(chiladmin completion bash)
            COMP_WORDS=(\(line)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _chiladmin; printf '%s\\n' "${COMPREPLY[@]}"
            """
        )
        #expect(out == found)
    }

    /// A printer's name is somebody's input: on the command line it is a word and nothing more.
    @Test func bashQuotesWhatItWouldActOn() throws {
        let out = try shell(
            "bash",
            """
            source <(chiladmin completion bash)
            folder=$(mktemp -d); printf '#!/bin/sh\\necho "\\\\$(touch $0.run)"\\necho "two words"\\n' > "$folder/c"
            chmod +x "$folder/c"; COMP_WORDS=("$folder/c" x); COMP_CWORD=1
            _chiladmin; eval "set -- ${COMPREPLY[*]}"
            printf '%s.' "$#" "$2"; ls "$folder"; rm -r "$folder"
            """
        )
        #expect(out == "2.two words.c\n", "\(out ?? "")")
    }

    @Test func fishCompletes() throws {
        let out = try shell("fish", "chiladmin completion fish | source; complete -C 'chiladmin tenant su'")
        #expect(out == nil || out == "suspend\n")
    }

    @Test func zshReadsIt() throws {
        let out = try shell(
            "zsh",
            "compdef() { print -r -- $1 }; source <(chiladmin completion zsh); whence -w _chiladmin"
        )
        #expect(out == nil || out == "_chiladmin\n_chiladmin: function\n")
    }

    @Test func theManualRendersWithoutComplaint() throws {
        let out = try shell(
            "bash",
            """
            chiladmin __man > /tmp/chiladmin-$$.1
            if command -v mandoc >/dev/null; then mandoc -Tlint -Wwarning /tmp/chiladmin-$$.1; fi
            if command -v groff >/dev/null; then groff -ww -man -Tutf8 -K utf8 /tmp/chiladmin-$$.1 2>&1 >/dev/null; fi
            grep -c '^.SS' /tmp/chiladmin-$$.1; rm /tmp/chiladmin-$$.1
            """
        )
        #expect(out == "\(CommandTable.standard.commands.count)\n", "\(out?.prefix(600) ?? "")")
    }

    @Test(arguments: [
        (Sample.status(), ExitCode.success, "well"), (Sample.status(found: 1), .failed, "wrong"),
        (Sample.status(loops: 0), .failed, "wrong"), (Sample.status(stuck: 2), .failed, "wrong"),
    ])
    func statusSaysWhetherAllIsWell(_ row: StatusRow, _ status: ExitCode, _ word: String) async {
        let services = FakeServices()
        services.statusRow = row
        let run = await Run("status --field state", services: services)
        #expect(run.status == status)
        #expect(run.out == word + "\n")
        #expect(run.err.isEmpty == (status == .success))
    }

    @Test func versionNeedsNoDatabase() async {
        let services = FakeServices()
        #expect(await Run("version --field postgresql", services: services).out == "15.20\n")
        services.fault = AdminFault(.databaseAway, "away", remedy: "Start it.")
        let run = await Run("version --field client", services: services)
        #expect(run.status == .success)
        #expect(run.out == Program.version + "\n")
        #expect(run.err == "The database was not asked: away.\n")
    }
}
