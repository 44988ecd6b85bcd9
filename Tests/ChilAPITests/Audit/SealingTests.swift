import ChilTestSupport
import Foundation
import Testing

/// The service seals what it and the operator do, within seconds, on whatever replica.
@Suite(.testBed(), .ownThread) struct SealingTests {
    @Test func theAuditIsSealedWithinSecondsAndWhole() async throws {
        let bed = try TestBed.required
        let app = try App(try bed.service(), .north, bed.issuer)
        let drawing = try app.makeDrawing()
        #expect(try app.send("DELETE", "drawings/\(drawing)").status == 204)
        #expect(try app.send("GET", "me/export").status == 200)
        _ = try App(try bed.service(), .south, bed.issuer)
        let isSealed = try waitUntil(.seconds(20)) {
            try bed.query(
                "select count(*) from audit where sequence is null"
            ) == ["0"]
        }
        #expect(isSealed)
        let said = try bed.administration.run("audit verify")
        #expect(said.contains("north") && said.contains("south"))
        let list = try bed.administration.run("audit list north --actor \(app.userID) -o json")
        for action in ["session.create", "drawing.delete", "account.export"] { #expect(list.contains(action)) }
    }

    /// The row outlives the account, so the address is the session's, and goes with it.
    @Test func aSessionsRowHasItsAddressAsLongAsThereIsASession() throws {
        let bed = try TestBed.required
        let app = try App(try bed.service(), .north, bed.issuer), other = try App(try bed.service(), .south, bed.issuer)
        #expect(try app.send("POST", "auth/logout").status == 204)
        let again = try App(try bed.service(), .north, bed.issuer)
        func addresses(_ tenant: Tenant, _ user: Int) throws -> [String] {
            let line = "audit list \(tenant.slug) --actor \(user) --action session.* -o json"
            let list = try bed.administration.run(line)
            let rows = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]]
            return try #require(rows).map { "\($0["action"] ?? "") \($0["address"] as? String ?? "")" }
        }
        #expect(try addresses(.north, app.userID) == ["session.end 127.0.0.1", "session.create 127.0.0.1"])
        #expect(try addresses(.south, other.userID) == ["session.create 127.0.0.1"])
        #expect(try again.send("DELETE", "me").status == 202)
        #expect(try addresses(.north, again.userID) == ["session.create "])
        #expect(try bed.query("select count(*) from audit where address is not null and actor_kind = 'user'") == ["0"])
    }

    /// Two replicas and a storm: one chain, nothing twice, nothing missing.
    @Test func replicasSealOneChain() async throws {
        let bed = try TestBed.required
        let storm = Tenant(slug: "storm")
        try bed.administration.add(storm, bed.issuer)
        try bed.withReplicas(2) { services in
            let before = try bed.query("select count(*) from audit where actor_kind = 'user'")
            _ = try inParallel(8) { place in
                for _ in 0..<10 { _ = try App(services[place % 2], storm, bed.issuer) }
                return 0
            }
            #expect(try bed.query("select count(*) from audit where actor_kind = 'user'") != before)
            let isSealed = try waitUntil(.seconds(20)) {
                try bed.query(
                    "select count(*) from audit where sequence is null"
                ) == ["0"]
            }
            #expect(isSealed)
        }
        #expect(try bed.administration.run("audit verify --tenant storm").contains("storm"))
    }

    /// Killed while it seals what it is asked to do: the others go on with the chain where it stands.
    @Test func aKilledReplicaLeavesAChainThatOthersGoOnWith() throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "sealer-kill")
        try bed.administration.add(tenant, bed.issuer)
        for _ in 0..<2 {
            try bed.withReplicas(1) { others in
                let service = try bed.start()
                defer { service.program.signal(SIGKILL) }
                let clients = DispatchGroup()
                for _ in 0..<4 {
                    clients.enter()
                    Thread.detachNewThread {
                        defer { clients.leave() }
                        while (try? App(service, tenant, bed.issuer)) != nil {}
                    }
                }
                let isSealing = try waitUntil(.seconds(20)) {
                    try bed.query(
                        "select count(*) > 0 from audit_link l join tenant t using (tenant_id) where t.slug = 'sealer-kill' and l.sealed_at > now() - interval '1 s'"
                    ) == ["t"]
                }
                #expect(isSealing)
                service.program.signal(SIGKILL)
                clients.wait()
                _ = try App(others[0], tenant, bed.issuer)
                let isSealed = try waitUntil(.seconds(20)) {
                    try bed.query("select count(*) from audit where sequence is null") == ["0"]
                }
                #expect(isSealed)
            }
            #expect(try bed.administration.run("audit verify --tenant sealer-kill").contains("sealer-kill"))
        }
    }
}
