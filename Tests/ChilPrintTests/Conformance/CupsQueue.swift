import ChilPrint
import ChilPrintTestSupport
import ChilTestSupport
import Foundation

/// Debian's `cupsd`, in a folder of its own, with one queue whose device writes the name of each job that it prints to a file.
final class CupsQueue: PrinterBench {
    static let program = "/usr/sbin/cupsd"
    /// The helper that starts devices is looked for among cupsd's own programs.
    private static let starter = "/usr/lib/cups/daemon/cups-exec"
    static let isHere = [program, starter].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    enum Word: UInt16 {
        case purgeJobs = 0x0012
        case pausePrinter = 0x0010
        case resumePrinter = 0x0011
        case acceptJobs = 0x4008
        case rejectJobs = 0x4009
    }

    let isReal = true
    private let printer: RealPrinter
    var port: UInt16 { printer.port }
    var path: String { printer.path }

    /// - Parameters:
    ///   - seconds: how long a page takes.
    ///   - lines: of cupsd.conf.
    init(seconds: Double = 0.2, _ lines: [String] = []) throws {
        printer = try RealPrinter("cups", path: "/printers/office")
        let folder = printer.folder.path
        for name in ["root", "bin/backend", "bin/filter", "bin/daemon", "data/mime", "data/banners", "spool/tmp"]
            + ["cache", "state", "log"]
        {
            try printer.make(folder: name)
        }
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/bin/daemon/cups-exec",
            withDestinationPath: Self.starter
        )
        try printer.write(
            """
            ServerRoot \(folder)/root
            ServerBin \(folder)/bin
            DataDir \(folder)/data
            CacheDir \(folder)/cache
            RequestRoot \(folder)/spool
            TempDir \(folder)/spool/tmp
            StateDir \(folder)/state
            ServerKeychain \(folder)/root
            AccessLog \(folder)/log/access
            ErrorLog \(folder)/log/error
            PageLog \(folder)/log/page
            FatalErrors none
            Sandboxing relaxed

            """,
            to: "root/cups-files.conf"
        )
        // Who may do what is as Debian has it; what an administrator does is open to all here.
        try printer.write(
            """
            LogLevel info
            Listen 127.0.0.1:\(printer.port)
            Browsing No
            WebInterface No
            DefaultAuthType None
            \(lines.joined(separator: "\n"))
            <Location />
            Order allow,deny
            Allow all
            </Location>
            <Policy default>
            JobPrivateAccess default
            JobPrivateValues default
            SubscriptionPrivateAccess default
            SubscriptionPrivateValues default
            <Limit Create-Job Print-Job Print-URI Validate-Job>
            Order deny,allow
            </Limit>
            <Limit Send-Document Send-URI Hold-Job Release-Job Restart-Job Cancel-Job Close-Job>
            Require user @OWNER @SYSTEM
            Order deny,allow
            </Limit>
            <Limit All>
            Order deny,allow
            </Limit>
            </Policy>

            """,
            to: "root/cupsd.conf"
        )
        try printer.write(
            """
            <Printer office>
            Info office
            DeviceURI chil:/papers
            State Idle
            Type 4
            Accepting Yes
            Shared Yes
            JobSheets none none
            OpPolicy default
            ErrorPolicy abort-job
            </Printer>

            """,
            to: "root/printers.conf"
        )
        try printer.write(
            "application/pdf pdf string(0,%PDF)\nimage/jpeg jpeg string(0,<FFD8FF>)\n",
            to: "data/mime/mime.types"
        )
        try printer.write("\n", to: "data/mime/mime.convs")
        // A device that others might run is run by nobody's rights; this one needs no other's.
        try printer.write(
            """
            #!/bin/sh
            [ $# -ge 5 ] || exit 0
            sleep \(seconds)
            echo "$3" >>'\(folder)/papers'

            """,
            to: "bin/backend/chil",
            mode: 0o700
        )
        try run()
    }

    private func run() throws {
        let root = "\(printer.folder.path)/root"
        try printer.start(Self.program, ["-f", "-c", "\(root)/cupsd.conf", "-s", "\(root)/cups-files.conf"])
        try printer.awaitListening()
    }

    func stop() { printer.stop() }
    func papers(of job: String) -> Int { printer.papers(of: job) }
    func finish() async { await printer.finish() }
    func say(_ word: Word) { printer.ask(word.rawValue) }

    /// Killed, and started again with what it has kept.
    func restart() throws {
        printer.end()
        try run()
    }

    /// Another's job, which waits for its page until it is purged.
    func occupy() { printer.ask(0x0005, [IPPAttribute("job-name", .name("another"))]) }
}
