import ChilAuth
import ChilCore
import ChilCrypto
import ChilTestSupport
import Foundation
import Testing

/// Where the keys of a running service are not, and who cannot look for them.
@Suite(.testBed([]), .ownThread)
struct SecrecyTests {
    /// The master key of the bed, and a tenant's private key.
    private static func secrets(_ bed: TestBed) throws -> [[UInt8]] {
        let sealed = try #require(
            try bed.query(
                "select tenant_id, encode(sealed_private, 'hex') from tenant_key join tenant using (tenant_id) where slug = 'north'"
            ).first
        ).split(separator: "|").map(String.init)
        let ring = try KeyRing(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: bed.keyFile))))
        let opened = try Sealer(ring).open(
            try #require(Hex.decode(sealed[1])),
            tenant: TenantID(rawValue: try #require(Int64(sealed[0]))),
            column: "tenant_key.sealed_private"
        )
        return [Array(repeating: 0x5a as UInt8, count: 32), try #require(opened).copy()]
    }

    /// Whether somebody who is nobody special may read a file: the exit status of cat(1).
    private static func reads(_ path: String, _ bed: TestBed) throws -> Bool {
        let words = ordinary + ["/bin/cat", path]
        let output = bed.folder.appendingPathComponent("cat-\(UUID()).txt")
        let program = try Program(words[0], Array(words.dropFirst()), output: output)
        let status = try program.wait(atMost: .seconds(10))
        #expect(status == 0 || program.text.contains("Permission denied"), "\(program.text)")
        return status == 0
    }

    /// Makes root an ordinary user in this: what a process of the same user may see of another, and what neither needs to be asked for
    /// (capabilities(7); since Linux 6.13 CAP_PERFMON reads other processes too).
    private static let ordinary =
        getuid() != 0
        ? []
        : [
            "/usr/bin/setpriv", "--bounding-set=-sys_ptrace,-sys_admin,-perfmon",
            "--inh-caps=-sys_ptrace,-sys_admin,-perfmon",
        ]

    @Test("K-07 no private key and no master key in the log, the environment, the arguments or a core")
    func secretsStayInside() throws {
        let bed = try TestBed.required
        let service = try bed.start(under: Self.ordinary)
        defer { service.program.signal(SIGKILL) }
        let app = try App(service, .north, bed.issuer)
        #expect(try app.refreshed().status() == 200)
        let process = "/proc/\(service.program.pid)"
        // Only root can read its environment at all.
        let places =
            ["\(process)/cmdline", service.program.output.path] + (getuid() == 0 ? ["\(process)/environ"] : [])
        for place in places {
            let text = [UInt8](try Data(contentsOf: URL(fileURLWithPath: place)))
            #expect(!text.isEmpty, "\(place)")
            for secret in try Self.secrets(bed) {
                for form in [secret, Array(Hex.text(of: secret).utf8), Array(Base64URL.text(of: secret).utf8)] {
                    #expect(!text.contains(form), "\(place)")
                }
            }
        }
        // The kernel writes no core of it.
        let limits = try String(contentsOfFile: "\(process)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(core ?? "")")
        #expect(try service.stop() == 0)
    }

    @Test("K-07 nobody of the same user looks into its memory, as into other processes") func nobodyLooksInside() throws
    {
        let bed = try TestBed.required
        let service = try bed.start(under: Self.ordinary)
        defer { service.program.signal(SIGKILL) }
        let words = Self.ordinary + ["/bin/sleep", "600"]
        let other = try Program(
            words[0],
            Array(words.dropFirst()),
            output: bed.folder.appendingPathComponent("sleep.txt")
        )
        defer { other.signal(SIGKILL) }
        // Else the same would be said of every process. (It has become sleep(1) once its name says so.)
        #expect(
            waitUntil(.seconds(5)) {
                (try? String(contentsOfFile: "/proc/\(other.pid)/comm", encoding: .utf8)) == "sleep\n"
            }
        )
        for file in ["environ", "maps", "auxv"] {
            #expect(try Self.reads("/proc/\(other.pid)/\(file)", bed), "\(file)")
            #expect(try !Self.reads("/proc/\(service.program.pid)/\(file)", bed), "\(file)")
        }
        #expect(try service.stop() == 0)
    }
}
