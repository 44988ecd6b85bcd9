import ChilCrypto
import ChilDevIssuer
import ChilHTTP
import ChilLoop
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// What `doctor` sees, against PostgreSQL.
@Suite struct LiveDoctorTests {
    private func rows(_ run: Run) throws -> [String: String] {
        let rows = try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [[String: Any]] ?? []
        return Dictionary(rows.map { ("\($0["check"] ?? "")", "\($0["state"] ?? "") \($0["finding"] ?? "")") }) {
            first,
            _ in first
        }
    }

    @Test func eachFaultIsFoundAndTheOthersAreStillLookedAt() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        for slug in ["chillin", "other"] { #expect(await live.run("tenant create \(slug)").status == .success) }
        let sound = await live.run("doctor -o json")
        #expect(sound.status == .success, "\(sound.out)")
        let first = try rows(sound)
        #expect(first.count == DoctorCheck.allCases.count)
        for check in [
            "database", "role", "migrations", "clock", "keyfile", "keys", "quotas", "audit", "sweeps", "disk", "wal",
            "providers",
        ] {
            #expect(first[check]?.hasPrefix("ok ") == true, "\(check): \(first[check] ?? "-")")
        }
        #expect(
            first["clients"]?.hasPrefix("warn nobody can sign in: chillin, other") == true,
            "\(first["clients"] ?? "")"
        )
        #expect(first["services"]?.hasPrefix("warn ") == true)

        #expect(await live.run("quota set chillin drawings 5").status == .success)
        #expect(
            await live.run("printer add chillin --name office --uri ipp://127.0.0.1:9/ipp/print").status == .success
        )
        try await live.script(WritingRow.people)
        try await live.script(
            """
            update tenant_key set state = 'retired' where tenant_id = (select tenant_id from tenant where slug = 'other');
            update quota set used = 4;
            update printer set seen_state = 'unreachable', seen_at = now();
            update session set expires_at = now() - interval '3 days';
            delete from schema_migration where version = (select max(version) from schema_migration);
            insert into work (tenant_id, work_id, kind, subject_id, run_at)
            select tenant_id, 1, 'print', 1, now() - interval '1 hour' from tenant where slug = 'chillin';
            """
        )
        try live.setKeys("1:00\n")
        let ill = await live.run("doctor -o json")
        #expect(ill.status == .failed)
        let second = try rows(ill)
        for (check, said) in [
            ("keys", "fail no active key: other"), ("quotas", "warn 1 counts differ"),
            ("printers", "warn 1 printers that no worker reaches: chillin"),
            ("sweeps", "warn sessions are over"), ("migrations", "fail the schema has version"), ("keyfile", "fail"),
            ("jobs", "warn 1 pieces of work"),
            ("database", "ok"), ("disk", "ok"),
        ] { #expect(second[check]?.hasPrefix(said) == true, "\(check): \(second[check] ?? "-")") }
        #expect(!ill.out.contains("\"state\": \"warn\",\n    \"finding\": \"\""))
        let only = await live.run("doctor --only disk --only clock")
        #expect(only.status == .success && only.out.split(separator: "\n").count == 3, "\(only.out)")
        #expect(await live.run("doctor --only disc").status == .usage)
        let asService = try rows(await live.run("doctor -o json", as: "chil_service"))
        #expect(asService.count == DoctorCheck.allCases.count)
        try await live.remove()
        let away = await live.run("doctor -o json")
        #expect(away.status == .failed)
        #expect(try rows(away)["database"]?.hasPrefix("fail no connection") == true)
        #expect(try rows(away).count == DoctorCheck.allCases.count)
    }

    // MARK: Others

    private func checked(
        _ live: LiveDatabase,
        _ check: String,
        as role: String? = "chil_operator",
        publicURL: String? = nil
    )
        async throws
        -> String
    {
        let run = await live.run("doctor --only \(check) -o json", as: role, publicURL: publicURL)
        let said = try rows(run)[check] ?? "-"
        #expect(run.status == (said.hasPrefix("fail") ? .failed : .success), "\(said)")
        return said
    }

    /// The public address: who answers there, and with which certificate.
    @Test(arguments: [
        (TestCertificates.Name.good, "fail no client trusts the certificate: unknownIssuer"),
        (.selfSigned, "fail no client trusts the certificate: unknownIssuer"),
        (.other, "fail no client trusts the certificate: "),
        (.expired, "fail the certificate is over since 2020-02-01"),
    ])
    func thePublicAddressShowsItsCertificate(_ name: TestCertificates.Name, _ said: String) async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        let files = try TestCertificates.shared()
        let identity = try TLSIdentity(
            certificates: Array(try Data(contentsOf: URL(filePath: files.certificate(name)))),
            key: Array(try Data(contentsOf: URL(filePath: files.key(name))))
        )
        let door = TLSDoor(try TLSServerContext([identity]))
        let listener = try Listener(on: SocketAddress(numericHost: "127.0.0.1", port: 0)!)
        let thread = try LoopThread()
        let server = HTTPLoop(listener, ServerLimits(), LoopBalance(), door, on: thread.loop) { _ in Probe() }
        let running = Task(executorPreference: thread.loop) { try await server.run() }
        let url = "https://127.0.0.1:\(listener.address.port)"
        let found = try await checked(live, "tls", publicURL: url + "/")
        #expect(found.hasPrefix(said), "\(found)")
        server.requestStop()
        try await running.value
        thread.loop.stop()
        thread.join()
        listener.close()
        let silent = try await checked(live, "tls", publicURL: url)
        #expect(silent.hasPrefix("fail no answer from CHIL_PUBLIC_URL: no connection"), "\(silent)")
        try await live.remove()
    }

    private final class Probe: RequestHandler {
        func respond(to exchange: Exchange) async -> Response { Response(.ok, "text/plain", .bytes([])) }
        func refusal(_ rejection: Rejection) -> Response { Response(rejection.status, "text/plain", .bytes([])) }
    }

    @Test func providersAreAskedForTheirKeys() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        for slug in ["one", "two"] { #expect(await live.run("tenant create \(slug)").status == .success) }
        let issuer = try IssuerServer { origin in
            var settings = IssuerSettings(issuer: origin, teams: [])
            settings.clients = ["com.example.app": []]
            return try DevelopmentIssuer(settings)
        }
        for slug in ["one", "two"] {
            let added = await live.run(
                "client add \(slug) --client-id com.example.app --issuer \(issuer.origin) --development"
                    + " --jwks-url \(issuer.origin)/auth/keys --allow-private \(issuer.authority)"
            )
            #expect(added.status == .success, "\(added.err)")
        }
        #expect(try await checked(live, "providers") == "ok the keys of all 2 records")
        // Not by an exception: the address is private.
        #expect(await live.run("client set two --no-allow-private").status == .success)
        let refused = try await checked(live, "providers")
        #expect(
            refused.hasPrefix("fail the keys of \(issuer.origin)/auth/keys") && refused.hasSuffix(": two"),
            "\(refused)"
        )
        #expect(await live.run("client set two --allow-private \(issuer.authority)").status == .success)
        #expect(
            await live.run(
                "client set one --client-id com.example.app --use web --redirect-uri \(issuer.origin)/one/auth/callback"
                    + " --return-url com.example.app://done"
            ).status == .success
        )
        #expect(
            try await checked(live, "providers")
                == "fail a client id for browsers, and no team and key to exchange its codes: one"
        )
        #expect(
            await live.run("client set one --client-id com.example.app --use native").status == .success
        )
        let url = "\(issuer.origin)/auth/keys"
        issuer.stop()
        #expect(
            try await checked(live, "providers").hasPrefix("fail the keys of \(url) are not to be had (no connection")
        )
        try await live.script("insert into key_set values ('\(url)', true, '{}', now())")
        #expect(
            try await checked(live, "providers").hasPrefix("warn the keys of \(url) are not to be had (no connection")
        )
        try await live.remove()
    }

    @Test func slotsThatHoldWALAreFound() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(try await checked(live, "wal").hasPrefix("ok 0 replication slots"))
        // An administrator is shown the folder, and the disk that the data is on.
        #expect(try await checked(live, "wal", as: nil).contains(" MiB of WAL, 0 replication slots"))
        #expect(try await checked(live, "disk", as: nil).contains(" left"))
        try await live.remove()
    }
}
