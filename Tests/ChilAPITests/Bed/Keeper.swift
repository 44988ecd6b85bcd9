import ChilCore
import Foundation

/// Ends the programs that the tests started if the tests themselves end first: crashed, or stopped by hand.
///
/// A shell that reads `+pid` and `-pid` from a pipe. The kernel closes the pipe when this process ends, however it ends.
final class Keeper: Sendable {
    static let shared = Keeper()

    private let pipe: Locked<FileHandle?>

    private init() {
        let input = Pipe()
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = [
            "-c",
            """
            trap '' INT TERM
            declare -A pids
            while read -r word; do
                case $word in
                    +*) pids[${word:1}]=1 ;;
                    -*) unset "pids[${word:1}]" ;;
                esac
            done
            kill -KILL "${!pids[@]}" 2>/dev/null
            """,
        ]
        shell.standardInput = input
        shell.standardOutput = FileHandle.nullDevice
        shell.standardError = FileHandle.nullDevice
        let isRunning = (try? shell.run()) != nil
        pipe = Locked(isRunning ? input.fileHandleForWriting : nil)
    }

    func watch(_ pid: Int32) { tell("+\(pid)\n") }
    func release(_ pid: Int32) { tell("-\(pid)\n") }

    private func tell(_ line: String) {
        pipe.withLock { try? $0?.write(contentsOf: Data(line.utf8)) }
    }
}
