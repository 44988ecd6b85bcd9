import ChilAuth
import ChilCore
import ChilCrypto
import ChilTestSupport
import Foundation
import Testing

/// The file of master keys: versions that come and go, and where its bytes never are.
@Suite(.testBed([]), .ownThread)
struct KeyFileTests {
    @Test("T-17 a refresh token of version n is good with n and n+1 in the file, and not with n+1 and n+2")
    func refreshTokensFollowTheKeyFile() throws {
        let bed = try TestBed.required
        // One of its own: what is sealed under the second version, services with the first alone cannot open.
        let tenant = Tenant(slug: "versions")
        try bed.administration.add(tenant, bed.issuer)
        let files = [
            bed.keyFile, try bed.makeKeyFile([(1, "5a"), (2, "6b")]), try bed.makeKeyFile([(2, "6b"), (3, "7c")]),
        ]
        var services: [Service] = []
        defer { for service in services { service.program.signal(SIGKILL) } }
        for file in files { services.append(try bed.start(["CHIL_KEY_FILE": file, "CHIL_LOOPS": "1"])) }
        let first = try App(services[0], tenant, bed.issuer), second = try App(services[0], tenant, bed.issuer)
        #expect(RefreshToken(parsing: first.refreshToken)?.version == 1)
        let next = try App(moving: first, to: services[1]).refreshed()
        #expect(RefreshToken(parsing: next.refreshToken)?.version == 2)
        // The same child for who lost the answer, made by the new key.
        #expect(try App(moving: first, to: services[1]).refreshed().refreshToken == next.refreshToken)
        // Not everything opens with the third file yet.
        try expectProblem(try services[2].send(App.refresh(tenant, next.refreshToken)), 503, "tenant-unavailable")
        var administration = bed.administration
        administration.keyFile = files[1]
        try administration.run("key reseal --tenant \(tenant.slug)")
        let isBack = try waitUntil(.seconds(3)) {
            try services[2].send(Request("POST", "/\(tenant.slug)/auth/nonce")).status == 201
        }
        #expect(isBack)
        try expectProblem(try services[2].send(App.refresh(tenant, second.refreshToken)), 401, "invalid-refresh-token")
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
}
