import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// The built program itself, for what only a process shows: exit status, streams, signals.
@Suite struct ProcessTests {
    /// Beside the test bundle, where SwiftPM puts all products.
    private static let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("chiladmin")

    private func shell(_ script: String) throws -> (status: Int32, out: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", script]
        process.environment = ["PATH": "/usr/bin:/bin", "chiladmin": Self.program.path]
        process.standardOutput = pipe
        try process.run()
        let out = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: out, as: UTF8.self))
    }

    @Test(arguments: [
        ("--version", 0), ("tenant list --no-such-flag", 64), ("tenant list", 78), ("migrate", 78), ("", 64),
        ("console </dev/null", 64),
        ("dev token --keys k --issuer http://i --client-id a --subject s --count 1 --out /no/such/folder/f", 73),
    ])
    func theStatusIsTheProcesss(_ words: String, _ status: Int32) throws {
        #expect(try shell("\"$chiladmin\" \(words) 2>/dev/null").status == status)
    }

    @Test func dataAndTalkAreApart() throws {
        #expect(try shell("\"$chiladmin\" --help 2>&1 >/dev/null").out.isEmpty)
        #expect(try shell("\"$chiladmin\" tenant list 2>/dev/null").out.isEmpty)
        #expect(try shell("\"$chiladmin\" tenant list 2>&1 >/dev/null").out.contains("CHIL_DATABASE_URL"))
    }

    @Test func aBrokenPipeIsAQuietEnd() throws {
        let run = try shell("set -o pipefail; { sleep 0.1; \"$chiladmin\" --help; } 2>&1 | true; echo ${PIPESTATUS[0]}")
        #expect(run.out == "0\n")
    }

    @Test func aFullDiskIsToldAndIs74() throws {
        let run = try shell("{ \"$chiladmin\" --help >/dev/full; } 2>&1; echo $?")
        #expect(run.out.contains("standard output cannot be written"))
        #expect(run.out.hasSuffix("\n74\n"))
    }

    @Test func theIssuerServesUntilItIsTold() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-issuer-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // A port that is taken ends the issuer at once; then another is tried.
        let run = try shell(
            """
            for port in $(shuf -i 20000-32000 -n 5); do
                "$chiladmin" dev issuer --keys \(folder) --listen 127.0.0.1:$port 2>/dev/null & issuer=$!
                for wait in $(seq \(100 * Patience.factor)); do
                    kill -0 $issuer 2>/dev/null || continue 2
                    { exec 3<>/dev/tcp/127.0.0.1/$port; } 2>/dev/null && break
                    sleep 0.05
                done
                printf 'GET /auth/keys HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n' >&3
                cat <&3
                exec 3<&-
                kill -TERM $issuer
                wait $issuer
                echo "ended $?"
                exit
            done
            """
        )
        #expect(run.out.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(run.out.contains("dev-rs256-1"))
        #expect(run.out.hasSuffix("ended 0\n"))
    }
}
