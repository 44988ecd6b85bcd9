import ChilCore
import ChilTestSupport
import Foundation
import Synchronization
import Testing

/// Signing keys that change while the service is used.
@Suite(.testBed([]), .ownThread)
struct KeyRotationTests {
    private static func keyIDs(_ service: Service, _ tenant: Tenant) throws -> [String] {
        try service.send(Request("GET", "/\(tenant.slug)/.well-known/jwks.json")).array("keys").compactMap {
            $0["kid"] as? String
        }
    }

    /// What clients saw, and whether they shall go on.
    private final class Record: Sendable {
        let isStopping = Atomic(false)
        let faults = Locked<[String]>([])
        let keyIDs = Locked<Set<String>>([])
        let count = Atomic(0)

        func expect(_ answer: Answer, _ what: String) {
            count.add(1, ordering: .relaxed)
            if answer.status != 200 { faults.withLock { $0.append("\(what): \(answer.status) \(answer.text)") } }
        }
    }

    /// Refreshes at one replica and goes straight to the other with the new token, whose key must be published there already.
    private static func refreshAndUse(_ app: App, _ replicas: [Service], _ record: Record) throws {
        var app = app
        var turn = 0
        let connections = try replicas.map { try Connection(to: $0.port) }
        while !record.isStopping.load(ordering: .relaxed) {
            let answer = try connections[turn % 2].send(App.refresh(app.tenant, app.refreshToken))
            record.expect(answer, "refresh")
            guard answer.status == 200 else { return }
            app.accessToken = try answer.string("accessToken")
            app.refreshToken = try answer.string("refreshToken")
            let keyID = try app.keyID
            record.keyIDs.withLock { _ = $0.insert(keyID) }
            record.expect(try connections[(turn + 1) % 2].send(app.request("GET", "me")), "new token")
            let published = try keyIDs(replicas[(turn + 1) % 2], app.tenant)
            if !published.contains(keyID) { record.faults.withLock { $0.append("\(keyID) is used and not published") } }
            record.expect(try connections[turn % 2].send(app.request("GET", "me")), "new token at home")
            turn += 1
        }
    }

    @Test(
        "T-15 ten rotations within half a minute under load: no request fails, each key is published before it is used"
    )
    func rotationsAreNotFelt() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "rotating")
        try bed.administration.add(tenant, bed.issuer)
        try bed.withReplicas(2) { replicas in
            let record = Record()
            let old = try App(replicas[0], tenant, bed.issuer)
            let apps = try (0..<4).map { try App(replicas[$0 % 2], tenant, bed.issuer) }
            let clients = DispatchGroup()
            for app in apps {
                clients.enter()
                Thread.detachNewThread {
                    do {
                        try Self.refreshAndUse(app, replicas, record)
                    } catch {
                        record.faults.withLock { $0.append("\(error)") }
                    }
                    clients.leave()
                }
            }
            let begun = ContinuousClock.now
            for number in 1...10 {
                try bed.administration.run("key rotate rotating --now")
                // A token of before all rotations, at both: retired keys verify.
                for replica in replicas { record.expect(try replica.send(old.request("GET", "me")), "old token") }
                // The next one comes before this one is in use, and once the one before it is.
                #expect(waitUntil(.seconds(5)) { record.keyIDs.withLock { $0.count } >= number - 1 })
            }
            let took = ContinuousClock.now - begun
            #expect(waitUntil(.seconds(5)) { record.keyIDs.withLock { $0.count } >= 10 })
            record.isStopping.store(true, ordering: .relaxed)
            clients.wait()
            #expect(took < Duration.seconds(60).patient)
            #expect(record.faults.withLock { $0.prefix(5) } == [])
            #expect(record.count.load(ordering: .relaxed) > 200)
            let states = try bed.query(
                "select k.state, count(*) from tenant_key k join tenant using (tenant_id) where slug = 'rotating' group by 1 order by 1"
            )
            #expect(states == ["active|1", "retired|10"])
            // An operator's list says the same.
            #expect(try bed.administration.run("key list rotating").components(separatedBy: " retired ").count == 11)
        }
    }

    @Test func aKeyIsPublishedFirstAndSignsWhenItHasBeenSeen() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "patient")
        try bed.administration.add(tenant, bed.issuer)
        try bed.withReplicas(1) { replicas in
            let service = replicas[0]
            let app = try App(service, tenant, bed.issuer)
            let first = try app.keyID
            #expect(try Self.keyIDs(service, tenant) == [first])
            #expect(try bed.administration.run("key rotate patient").contains("Run this again in five minutes"))
            #expect(try waitUntil(Promise.news) { try Self.keyIDs(service, tenant).count == 2 })
            #expect(
                try bed.administration.run("key rotate patient").contains("has not been published for five minutes")
            )
            #expect(try app.refreshed().keyID == first)
            try bed.query(
                "update tenant_key set created_at = created_at - interval '5 minutes'"
                    + " where state = 'next' and tenant_id = (select tenant_id from tenant where slug = 'patient')"
            )
            #expect(try bed.administration.run("key rotate patient").contains("It signs within two seconds"))
            let second = try #require(try Self.keyIDs(service, tenant).first { $0 != first })
            let isSo = try waitUntil(.seconds(4)) { try App(service, tenant, bed.issuer).keyID == second }
            #expect(isSo)
            #expect(try app.status() == 200)
            #expect(Set(try Self.keyIDs(service, tenant)) == [first, second])
            // When its last token is over it is published no more.
            try bed.query(
                "update tenant_key set retired_at = retired_at - interval '12 minutes' where key_id = '\(first)';"
                    + "select pg_notify('chil', 'tenant ' || tenant_id) from tenant where slug = 'patient'"
            )
            #expect(try waitUntil(Promise.news) { try Self.keyIDs(service, tenant) == [second] })
        }
    }

    @Test("T-16 a revoked key's tokens are dead within a second everywhere, and the sessions go on with another key")
    func aRevokedKeySignsForNothing() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "revoking")
        try bed.administration.add(tenant, bed.issuer)
        try bed.withReplicas(2) { replicas in
            let app = try App(replicas[0], tenant, bed.issuer)
            let key = try app.keyID
            let places = replicas.map { App(moving: app, to: $0) }
            for place in places { #expect(try place.status() == 200) }
            try bed.administration.run("key revoke revoking --confirm=revoking \(key)")
            #expect(try waitUntil(Promise.news) { try places.map { try $0.status() } == [401, 401] })
            for replica in replicas { #expect(try !Self.keyIDs(replica, tenant).contains(key)) }
            let next = try app.refreshed()
            #expect(try next.keyID != key)
            for replica in replicas { #expect(try App(moving: next, to: replica).status() == 200) }
            #expect(try App(replicas[1], tenant, bed.issuer).status() == 200)
            #expect(
                try bed.administration.run("key revoke revoking --confirm=revoking \(key)").contains(
                    "It was revoked before."
                )
            )
            // Neither the restart of a service brings it back, nor is its private half anywhere.
            let late = try bed.withReplicas(1) { try App(moving: app, to: $0[0]).status() }
            #expect(late == 401)
            #expect(
                try bed.query("select octet_length(sealed_private) from tenant_key where key_id = '\(key)'") == ["0"]
            )
        }
    }

    @Test(
        "K-02 a sealed key in another row opens nothing: its tenant is refused with the reason in the log, others are served"
    )
    func keysDoNotMove() throws {
        let bed = try TestBed.required
        for slug in ["moved-a", "moved-b", "moved-c"] { try bed.administration.add(Tenant(slug: slug), bed.issuer) }
        let tenants = ["moved-a", "moved-b", "moved-c"].map { Tenant(slug: $0) }
        try bed.withReplicas(1) { replicas in
            let service = replicas[0]
            let apps = try tenants.map { try App(service, $0, bed.issuer) }
            // Two tenants' keys change places; the third's next key is put in the place of its active one.
            try bed.administration.run("key rotate moved-c")
            func swap(_ first: String, _ second: String) throws {
                try bed.query(
                    """
                    with one as (select k.* from tenant_key k join tenant t using (tenant_id) where \(first)),
                         two as (select k.* from tenant_key k join tenant t using (tenant_id) where \(second))
                    update tenant_key k
                       set sealed_private = case k.key_id when one.key_id then two.sealed_private else one.sealed_private end
                      from one, two where k.key_id in (one.key_id, two.key_id);
                    select pg_notify('chil', 'tenant ' || tenant_id) from tenant
                    """
                )
            }
            try swap("t.slug = 'moved-a'", "t.slug = 'moved-b'")
            try swap("t.slug = 'moved-c' and k.state = 'active'", "t.slug = 'moved-c' and k.state = 'next'")
            #expect(try waitUntil(Promise.news) { try apps.allSatisfy { try $0.status() == 503 } })
            for app in apps {
                let answer = try app.send("GET", "me")
                try expectProblem(answer, 503, "tenant-unavailable")
                #expect(answer["Retry-After"] == "60")
            }
            #expect(try App(service, .north, bed.issuer).status() == 200)
            let log = service.program.text
            #expect(
                log.contains("CHIL_KEY_FILE must be the file chiladmin used")
                    && log.contains("revoke it with chiladmin key revoke")
            )
            try swap("t.slug = 'moved-a'", "t.slug = 'moved-b'")
            #expect(try waitUntil(.seconds(2)) { try apps[..<2].allSatisfy { try $0.status() == 200 } })
            // The third's is revoked as the log says, and its sessions go on.
            try bed.administration.run("key revoke moved-c --confirm=moved-c \(try apps[2].keyID)")
            #expect(try waitUntil(.seconds(2)) { try apps[2].status() == 503 })
            let next = try #require(
                try bed.query(
                    "select key_id from tenant_key join tenant using (tenant_id) where slug = 'moved-c' and tenant_key.state = 'active'"
                ).first
            )
            try bed.administration.run("key revoke moved-c --confirm=moved-c \(next)")
            #expect(try waitUntil(.seconds(2)) { try apps[2].status() == 401 })
            #expect(try apps[2].refreshed().status() == 200)
        }
    }

    /// Tokens of keys that nobody has cost one look at the database a second, not one each.
    @Test func unknownKeysAreAskedForOnceASecond() throws {
        let bed = try TestBed.required
        let url = bed.database.url("chil_service")
        let relay = try Relay(toPostgresOf: url)
        defer { relay.close() }
        var parts = try #require(URLComponents(string: url))
        parts.host = "127.0.0.1"
        parts.port = Int(relay.port)
        parts.queryItems = parts.queryItems?.filter { !["host", "port"].contains($0.name) }
        let service = try bed.start(["CHIL_DATABASE_URL": try #require(parts.string), "CHIL_LOOPS": "1"])
        defer { service.program.signal(SIGKILL) }
        let app = try App(service, .north, bed.issuer)
        #expect(try app.status() == 200)
        let before = relay.uses(of: nil)
        let begun = ContinuousClock.now
        let connection = try Connection(to: service.port)
        let claims = app.accessToken.split(separator: ".").dropFirst().joined(separator: ".")
        for number in 0..<1_000 {
            let header = Base64URL.text(of: Array("{\"alg\":\"ES256\",\"kid\":\"k\(number)\",\"typ\":\"at+jwt\"}".utf8))
            #expect(try connection.send(Request("GET", "/north/me", bearer: "\(header).\(claims)")).status == 401)
        }
        let seconds = Int((ContinuousClock.now - begun).components.seconds) + 1
        // Eight statements read a tenant; beside them the service's own few a second.
        #expect(relay.uses(of: nil) - before < 20 + 25 * seconds)
        #expect(try app.status() == 200)
        #expect(try service.stop() == 0)
    }
}
