import ChilCore
import ChilTestSupport
import Foundation

/// A program that runs beside the tests. Its output goes to a file, and it inherits no other descriptor: nothing of it or of what
/// it starts can hold a test up.
final class Program: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let pid: pid_t
    let output: URL
    private let name: String
    /// As waitpid(2) gives it; `nil` while it runs.
    private let ending = Locked<Int32?>(nil)

    /// - Parameters:
    ///   - output: takes standard output and standard error.
    ///   - environment: all of it, but for PATH and the sanitizers' options.
    init(_ path: String, _ arguments: [String] = [], environment: [String: String] = [:], output: URL) throws {
        self.output = output
        name = String(path.split(separator: "/").last ?? "")
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The thread that starts it may have signals blocked: the program shall not.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let words = (["/bin/bash", "-c", Self.alone, output.path, path] + arguments).map { strdup($0) } + [nil]
        let settings =
            environment.merging(Self.inherited) { given, _ in given }
            .map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var pid = pid_t()
        let code = posix_spawn(&pid, "/bin/bash", nil, &attributes, words, settings)
        guard code == 0 else { throw Failure(description: "\(path): \(String(cString: strerror(code)))") }
        self.pid = pid
        Keeper.shared.watch(pid)
    }

    private static let inherited = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        .merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { $1 }

    /// Becomes the program, with nothing open but its output ($0).
    private static let alone = """
        cd / && exec </dev/null >>"$0" 2>&1
        for fd in /proc/$$/fd/*; do
            fd=${fd##*/}
            if [ "$fd" -gt 2 ]; then eval "exec $fd>&-"; fi
        done
        exec "$@"
        """

    var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
    var isRunning: Bool { status == nil }

    func signal(_ number: Int32) {
        if isRunning { kill(pid, number) }
    }

    /// The exit status; killed, and an error, when that takes longer than `patience`. A signal's number counts from 128.
    @discardableResult
    func wait(atMost patience: Duration) throws -> Int32 {
        if waitUntil(patience, { !isRunning }), let status { return status }
        let threads = threads
        kill(pid, SIGKILL)
        waitUntil(.seconds(5)) { !isRunning }
        throw Failure(description: "\(name) did not end in \(patience): \(threads): \(text.suffix(4_000))")
    }

    /// What each of its threads does: state, and where in the kernel it waits (proc(5)).
    private var threads: [String] {
        let tasks = "/proc/\(pid)/task"
        return ((try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []).map { task in
            ["status", "wchan"].map { name in
                let text = (try? String(contentsOfFile: "\(tasks)/\(task)/\(name)", encoding: .utf8)) ?? "?"
                return text.split(separator: "\n").first { name == "wchan" || $0.hasPrefix("State:") }.map(String.init)
                    ?? "?"
            }.joined(separator: " ")
        }
    }

    /// Asks for the end, and takes it from the kernel once.
    private var status: Int32? {
        let ending = ending.withLock { ending in
            var status: Int32 = 0
            if ending == nil, waitpid(pid, &status, WNOHANG) == pid {
                ending = status
                Keeper.shared.release(pid)
            }
            return ending
        }
        return ending.map { $0 & 0x7f == 0 ? ($0 >> 8) & 0xff : 128 + ($0 & 0x7f) }
    }

    /// Beside the test bundle, where SwiftPM puts all programs.
    static func built(_ name: String) -> String {
        URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent(name).path
    }
}
