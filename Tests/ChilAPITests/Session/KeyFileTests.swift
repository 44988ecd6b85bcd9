import ChilAuth
import ChilCore
import ChilCrypto
import Foundation
import Testing

/// The file of master keys: versions that come and go, and where its bytes never are.
@Suite(.testBed([]), .ownThread)
struct KeyFileTests {
    @Test("T-17 a refresh token of version n is good with n and n+1 in the file, and not with n+1 and n+2")
    func refreshTokensFollowTheKeyFile() throws {
        let bed = try TestBed.required
        let files = [
            bed.keyFile, try bed.makeKeyFile([(1, "5a"), (2, "6b")]), try bed.makeKeyFile([(2, "6b"), (3, "7c")]),
        ]
        var services: [Service] = []
        defer { for service in services { service.program.signal(SIGKILL) } }
        for file in files { services.append(try bed.start(["CHIL_KEY_FILE": file])) }
        let first = try App(services[0], .north, bed.issuer), second = try App(services[0], .north, bed.issuer)
        #expect(RefreshToken(parsing: first.refreshToken)?.version == 1)
        let next = try App(moving: first, to: services[1]).refreshed()
        #expect(RefreshToken(parsing: next.refreshToken)?.version == 2)
        // The same child for who lost the answer, made by the new key.
        #expect(try App(moving: first, to: services[1]).refreshed().refreshToken == next.refreshToken)
        // Not everything opens with the third file yet.
        try expectProblem(try services[2].send(App.refresh(.north, next.refreshToken)), 503, "tenant-unavailable")
        var administration = bed.administration
        administration.keyFile = files[1]
        try administration.run("key reseal --tenant north")
        let isBack = try waitUntil(.seconds(3)) {
            // On both loops, whichever takes the connection.
            try (0..<12).allSatisfy { _ in
                try services[2].send(Request("POST", "/north/auth/nonce")).status == 201
            }
        }
        #expect(isBack)
        try expectProblem(try services[2].send(App.refresh(.north, second.refreshToken)), 401, "invalid-refresh-token")
        let last = try App(moving: next, to: services[2]).refreshed()
        #expect(
            RefreshToken(parsing: last.refreshToken)?.version == 3
                && RefreshToken(parsing: last.refreshToken)?.counter == 3
        )
        #expect(try last.status() == 200)
        // What was refused for its key has ended nothing: with the key it is good again.
        #expect(try App(moving: second, to: services[1]).refreshed().status() == 200)
        for service in services { #expect(try service.stop() == 0) }
        services = []
    }

    @Test("K-06 a reseal that is killed at any step leaves every key openable, and the next one finishes")
    func aResealIsInterrupted() throws {
        let bed = try TestBed.required
        try bed.administration.add(Tenant(slug: "sealed"), bed.issuer)
        for _ in 0..<2 { try bed.administration.run("key rotate sealed --now") }
        // Many values: the same private key under names of its own, which is all that a sealing is bound to.
        try bed.query(
            """
            insert into tenant_key (tenant_id, key_id, state, public_x, public_y, sealed_private, created_at, retired_at)
            select k.tenant_id, 'copy-' || n, 'retired', k.public_x, k.public_y, k.sealed_private, now(), now()
              from tenant_key k join tenant t using (tenant_id), generate_series(1, 12000) n
             where t.slug = 'sealed' and k.state = 'active'
            """
        )
        let file = try bed.makeKeyFile([(1, "5a"), (9, "c3")])
        let ring = try KeyRing(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: file))))
        func versions() throws -> Set<UInt8> {
            var found: Set<UInt8> = []
            let rows = try bed.query(
                "select tenant_id, encode(sealed_private, 'hex') from tenant_key join tenant using (tenant_id) where slug = 'sealed'"
            )
            #expect(rows.count == 12_003)
            for row in rows {
                let parts = row.split(separator: "|").map(String.init)
                let bytes = try #require(Hex.decode(parts[1])), id = try #require(Int64(parts[0]))
                #expect(
                    try Sealer(ring).open(bytes, tenant: TenantID(rawValue: id), column: "tenant_key.sealed_private")
                        != nil
                )
                found.insert(bytes[0])
            }
            return found
        }
        #expect(try versions() == [1])
        func resealed() throws -> Int {
            let rows = try bed.query(
                "select count(*) from tenant_key join tenant using (tenant_id) where slug = 'sealed' and get_byte(sealed_private, 0) = 9"
            )
            return Int(rows.first ?? "") ?? 0
        }
        for step in 1...4 {
            let before = try resealed()
            let program = try Program(
                Program.built("chiladmin"),
                ["key", "reseal", "--tenant", "sealed"],
                environment: ["CHIL_DATABASE_URL": bed.database.url("chil_operator"), "CHIL_KEY_FILE": file],
                output: bed.folder.appendingPathComponent("reseal-\(step).txt")
            )
            // Killed as soon as it can be seen at work, which is somewhere on its way.
            #expect(try waitUntil(.seconds(10)) { try resealed() > before })
            program.signal(SIGKILL)
            _ = try program.wait(atMost: .seconds(10))
            #expect(try versions() == [1, 9], "it was done before it was killed: give it more values")
        }
        var administration = bed.administration
        administration.keyFile = file
        #expect(try administration.run("key reseal --tenant sealed").contains("sealed under the highest version"))
        #expect(try versions() == [9])
        #expect(try administration.run("key reseal --tenant sealed").contains("sealed         0           0"))
        // Without the old line nothing is lost; without the new one all is, and the command says so by its status.
        administration.keyFile = try bed.makeKeyFile([(9, "c3"), (10, "d4")])
        #expect(try administration.run("key reseal --tenant sealed").contains("highest version"))
        administration.keyFile = try bed.makeKeyFile([(11, "e5")])
        #expect(throws: Program.Failure.self) { try administration.run("key reseal --tenant sealed") }
    }

    @Test("K-07 no private key and no master key in the log, the environment, the arguments or a core")
    func secretsStayInside() throws {
        let bed = try TestBed.required
        let service = try bed.start()
        defer { service.program.signal(SIGKILL) }
        let app = try App(service, .north, bed.issuer)
        #expect(try app.refreshed().status() == 200)
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
        let secrets = [Array(repeating: 0x5a as UInt8, count: 32), try #require(opened).copy()]
        let process = "/proc/\(service.program.pid)"
        let places = ["\(process)/environ", "\(process)/cmdline", service.program.output.path]
        for place in places {
            let text = [UInt8](try Data(contentsOf: URL(fileURLWithPath: place)))
            #expect(!text.isEmpty, "\(place)")
            for secret in secrets {
                for form in [secret, Array(Hex.text(of: secret).utf8), Array(Base64URL.text(of: secret).utf8)] {
                    #expect(!text.contains(form), "\(place)")
                }
            }
        }
        // The kernel writes no core of it, wherever cores go, and lets nobody but root look into it.
        let status = try String(contentsOfFile: "\(process)/limits", encoding: .utf8)
        let core = status.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(core ?? "")")
        let owner = try FileManager.default.attributesOfItem(atPath: "\(process)/environ")[.ownerAccountID] as? Int
        #expect(owner == 0)
        #expect(try service.stop() == 0)
    }
}
