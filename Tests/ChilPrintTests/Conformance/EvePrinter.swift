import ChilPrintTestSupport
import ChilTestSupport
import Foundation

/// A real `ippeveprinter` of cups-ipp-utils, with a system bus of its own, which it can't do without. Each job that it prints leaves a line
/// with its name in a file.
final class EvePrinter: PrinterBench {
    static let isHere = ["/usr/sbin/ippeveprinter", "/usr/bin/dbus-daemon"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let isReal = true
    private let printer: RealPrinter
    var port: UInt16 { printer.port }
    var path: String { printer.path }

    /// Its certificate is a fresh one each time.
    init(on port: UInt16? = nil, seconds: Double = 0.2) throws {
        printer = try RealPrinter("eve", on: port, path: "/ipp/print")
        let folder = printer.folder.path
        for name in ["spool", "keys"] { try printer.make(folder: name) }
        let bus = "\(folder)/bus"
        try printer.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><listen>unix:path=\(bus)</listen><auth>EXTERNAL</auth><policy context="default"><allow own="*"/>
            <allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>
            """,
            to: "bus.conf"
        )
        try printer.write(
            "#!/bin/sh\nsleep \(seconds)\necho \"$IPP_JOB_NAME\" >>'\(folder)/papers'\n",
            to: "finish",
            mode: 0o755
        )
        try printer.start(
            "/usr/bin/dbus-daemon",
            ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--nosyslog"]
        )
        waitUntil(.seconds(10)) { FileManager.default.fileExists(atPath: bus) }
        try printer.start(
            "/usr/sbin/ippeveprinter",
            [
                "-p", "\(printer.port)", "-n", "localhost", "-r", "off", "-s", "10,5", "-f",
                "application/pdf,image/jpeg", "-d", "\(folder)/spool", "-K", "\(folder)/keys", "-c",
                "\(folder)/finish", "ChilAPI tests",
            ],
            ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(bus)"]
        )
        try printer.awaitListening()
    }

    func stop() { printer.stop() }
    func papers(of job: String) -> Int { printer.papers(of: job) }
    func finish() async { await printer.finish() }

    /// Paper in its trays, by the page that a person would use. Without any, it prints nothing and says so.
    func setPaper(_ sheets: Int) {
        let trays = (0...4).map { "size\($0)=iso_a4_210x297mm&type\($0)=stationery&level\($0)=\(sheets)" }
        printer.get("/media?" + trays.joined(separator: "&"))
    }
}
