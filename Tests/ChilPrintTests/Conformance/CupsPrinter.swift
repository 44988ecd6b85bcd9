import ChilCore
import ChilPrint
import ChilPrintTestSupport
import ChilTestSupport
import Foundation

/// A real cupsd(8) of its own, with one queue that passes pages on as they are. Its backend leaves a line with the name of each job that it
/// prints in a file.
final class CupsPrinter: PrinterBench {
    static let isHere = FileManager.default.isExecutableFile(atPath: "/usr/sbin/cupsd") && geteuid() == 0

    let port: UInt16
    let path = "/printers/sheets"
    let isReal = true
    private let folder: URL
    /// `@unchecked Sendable`: started in `init`, ended under the lock.
    private struct Daemon: @unchecked Sendable { let process: Process }
    private let daemon: Locked<Daemon?>

    /// - Parameter seconds: for a page.
    init(seconds: Double = 0.2) throws {
        let folder = URL(filePath: "/tmp/chil-cups-\(UUID().uuidString.prefix(8))")
        self.folder = folder
        let (descriptor, free) = try PeerSocket.listen()
        close(descriptor)
        port = free
        daemon = Locked(nil)
        for name in ["root", "cache", "state", "spool", "temporary", "log", "bin/backend"] {
            try FileManager.default.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        for name in ["daemon", "filter", "notifier"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "bin/\(name)").path,
                withDestinationPath: "/usr/lib/cups/\(name)"
            )
        }
        try write("root/cupsd.conf", Self.rules(port))
        try write("root/cups-files.conf", Self.places(folder.path))
        try write("root/printers.conf", Self.queue)
        // Run as root for its mode (backend(7)): the file is ours.
        try write(
            "bin/backend/sheets",
            """
            #!/bin/sh
            [ $# -ge 5 ] || exit 0
            cat >/dev/null
            sleep \(seconds)
            printf '%s\\n' "$3" >>'\(folder.path)/papers'
            """,
            mode: 0o700
        )
        try Self.give(["cache", "state", "spool", "temporary"].map { folder.appending(path: $0).path })
        let process = Process()
        process.executableURL = URL(filePath: "/usr/sbin/cupsd")
        process.arguments = ["-f", "-c", "\(folder.path)/root/cupsd.conf", "-s", "\(folder.path)/root/cups-files.conf"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        daemon.withLock { $0 = Daemon(process: process) }
        let port = port
        guard waitUntil(.seconds(20), { PrinterWord.ask(0x000B, at: port, "/printers/sheets")?.code == 0 }) else {
            let log = (try? String(contentsOf: folder.appending(path: "log/error"), encoding: .utf8)) ?? "no log"
            throw PeerSocket.Failure(description: "cupsd does not listen: \(log.suffix(2_000))")
        }
    }

    deinit {
        stop()
    }

    func stop() {
        let daemon = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        if let process = daemon?.process, process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: folder)
    }

    func papers(of job: String) -> Int {
        let text = (try? String(contentsOf: folder.appending(path: "papers"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { $0.contains(job) }.count
    }

    func finish() async {
        await awaitUntil(.seconds(20)) { !PrinterWord.hasPages(at: port, path) }
    }

    /// Pause-Printer and Resume-Printer (RFC 8011 §4.2.7): what it has waits.
    func pause(_ isPaused: Bool) {
        PrinterWord.ask(isPaused ? 0x0010 : 0x0011, at: port, path)
    }

    /// Purge-Jobs (RFC 8011 §4.2.9): all its jobs are gone, as if they had never been.
    func purge() {
        PrinterWord.ask(0x0012, at: port, path)
    }

    private func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
        let place = folder.appending(path: name)
        try "\(text)\n".write(to: place, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.path)
    }

    private static func give(_ folders: [String]) throws {
        guard let user = getpwnam("lp") else { throw PeerSocket.Failure(description: "no user lp") }
        for folder in folders { chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) }
    }

    private static func rules(_ port: UInt16) -> String {
        """
        Listen 127.0.0.1:\(port)
        LogLevel warn
        Browsing No
        WebInterface No
        DefaultAuthType None
        PreserveJobHistory Yes
        <Location />
        Order allow,deny
        Allow from all
        </Location>
        <Policy default>
        JobPrivateAccess all
        JobPrivateValues none
        SubscriptionPrivateAccess all
        SubscriptionPrivateValues none
        <Limit All>
        Order deny,allow
        Allow from all
        </Limit>
        </Policy>
        """
    }

    private static func places(_ folder: String) -> String {
        """
        User lp
        Group lp
        SystemGroup root
        ServerRoot \(folder)/root
        ServerBin \(folder)/bin
        CacheDir \(folder)/cache
        StateDir \(folder)/state
        RequestRoot \(folder)/spool
        TempDir \(folder)/temporary
        AccessLog \(folder)/log/access
        ErrorLog \(folder)/log/error
        PageLog \(folder)/log/page
        """
    }

    private static let queue = """
        <Printer sheets>
        Info sheets
        DeviceURI sheets:/tray
        State Idle
        Type 4
        Accepting Yes
        Shared Yes
        JobSheets none none
        OpPolicy default
        ErrorPolicy abort-job
        </Printer>
        """
}
