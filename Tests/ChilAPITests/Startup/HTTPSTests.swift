import ChilTestSupport
import Foundation
import Testing

/// The service with certificates of its own, asked by curl; new ones by SIGHUP, without a dropped connection.
@Suite(.testBed(), .ownThread)
struct HTTPSTests {
    private struct Files {
        let certificates: String
        let key: String

        var setting: String { "\(certificates):\(key)" }

        /// Copies, to be changed.
        init(_ name: TestCertificates.Name, in folder: URL) throws {
            let made = try TestCertificates.shared()
            certificates = folder.appendingPathComponent("tls-\(UUID()).pem").path
            key = folder.appendingPathComponent("tls-\(UUID()).key").path
            try FileManager.default.copyItem(atPath: made.certificate(name), toPath: certificates)
            try FileManager.default.copyItem(atPath: made.key(name), toPath: key)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        }

        func become(_ name: TestCertificates.Name) throws {
            let made = try TestCertificates.shared()
            try Data(contentsOf: URL(fileURLWithPath: made.certificate(name))).write(
                to: URL(fileURLWithPath: certificates)
            )
            try Data(contentsOf: URL(fileURLWithPath: made.key(name))).write(to: URL(fileURLWithPath: key))
        }
    }

    private static func start(_ setting: String, port: UInt16) throws -> Program {
        let bed = try TestBed.required
        let settings = ["CHIL_TLS": setting, "CHIL_LISTEN": "127.0.0.1:\(port)", "CHIL_LOOPS": "2"]
        return try Program(
            Program.built("chilapi"),
            environment: bed.settings.merging(settings) { $1 },
            output: bed.folder.appendingPathComponent("chilapi-https-\(UUID()).log")
        )
    }

    /// The status that curl sees, and what it verified; 0: it was not answered.
    private static func curl(_ host: String, _ port: UInt16, _ path: String = "/healthz", scheme: String = "https")
        throws -> (status: Int32, text: String)
    {
        let authority = try TestCertificates.shared().directory.appending(path: "ca.pem").path
        let program = try Program(
            "/usr/bin/curl",
            [
                "-sS", "--max-time", "20", "--cacert", authority, "--resolve", "\(host):\(port):127.0.0.1",
                "-w", " %{http_code} %{http_version}", "\(scheme)://\(host):\(port)\(path)",
            ],
            output: try TestBed.required.folder.appendingPathComponent("curl-\(UUID()).log")
        )
        return (try program.wait(atMost: .seconds(30)), program.text)
    }

    @Test func appsAreServedOverTLS() throws {
        let bed = try TestBed.required
        let (files, other) = (try Files(.good, in: bed.folder), try Files(.other, in: bed.folder))
        let port = try FreePort.one()
        let program = try Self.start("\(files.setting),\(other.setting)", port: port)
        defer { program.signal(SIGKILL) }
        let isUp = try waitUntil(.seconds(20)) { try Self.curl("idp.test", port).status == 0 }
        #expect(isUp, "\(program.text)")
        for host in ["idp.test", "other.test"] {
            let answer = try Self.curl(host, port)
            #expect(answer.status == 0 && answer.text.hasSuffix(" 200 1.1"), "\(answer.text)")
        }
        #expect(try Self.curl("evil.test", port).status == 60, "no certificate is for that name")
        #expect(try Self.curl("idp.test", port, scheme: "http").status != 0, "nothing is served in the open")
        program.signal(SIGTERM)
        #expect(try program.wait(atMost: .seconds(20)) == 0)
    }

    @Test func certificatesAreReadAgain() throws {
        let bed = try TestBed.required
        let files = try Files(.good, in: bed.folder)
        let port = try FreePort.one()
        let program = try Self.start(files.setting, port: port)
        defer { program.signal(SIGKILL) }
        #expect(try waitUntil(.seconds(20)) { try Self.curl("idp.test", port).status == 0 }, "\(program.text)")
        // What cannot be used changes nothing.
        try Data("no certificate".utf8).write(to: URL(fileURLWithPath: files.certificates))
        program.signal(SIGHUP)
        #expect(waitUntil(.seconds(10)) { program.text.contains("certificates not read again") }, "\(program.text)")
        #expect(try Self.curl("idp.test", port).status == 0)
        try files.become(.other)
        program.signal(SIGHUP)
        #expect(waitUntil(.seconds(10)) { program.text.contains("certificates read again") }, "\(program.text)")
        #expect(try Self.curl("other.test", port).status == 0)
        #expect(try Self.curl("idp.test", port).status == 60)
        program.signal(SIGTERM)
        #expect(try program.wait(atMost: .seconds(20)) == 0)
    }

    /// A service that is told to read again what it has not goes on.
    @Test func aSignalWithoutCertificatesIsNoEnd() throws {
        let service = try TestBed.required.start()
        defer { service.program.signal(SIGKILL) }
        service.program.signal(SIGHUP)
        #expect(waitUntil(.seconds(10)) { service.program.text.contains("nothing to read again") })
        #expect(try service.send(Request("GET", "/healthz")).status == 200)
        #expect(try service.stop() == 0)
    }

    @Test(arguments: [
        "one.pem", "one.pem:", ":one.key", "one.pem:one.key,", "one.pem:one.key:x", "/no/such.pem:/no/such.key",
    ])
    func whatCannotBeUsedStopsTheStart(_ setting: String) throws {
        let program = try Self.start(setting, port: try FreePort.one())
        #expect(try program.wait(atMost: .seconds(20)) == 78)
        #expect(program.text.contains("chilapi: CHIL_TLS "), "\(program.text)")
    }

    @Test func aKeyThatOthersMayReadStopsTheStart() throws {
        let files = try Files(.good, in: try TestBed.required.folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: files.key)
        let program = try Self.start(files.setting, port: try FreePort.one())
        #expect(try program.wait(atMost: .seconds(20)) == 78)
        #expect(program.text.contains("may be read by others"), "\(program.text)")
    }
}
