import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilLoop
import ChilStore
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// The operator's whole day against PostgreSQL, in order, as its own role.
@Suite struct LiveTests {
    @Test func theOperatorsDay() async throws {
        let live = try await LiveDatabase()
        try await schema(live)
        try await tenants(live)
        try await clients(live)
        try await keys(live)
        try await sessions(live)
        try await quotas(live)
        try await plans(live)
        try await printers(live)
        try await audit(live)
        try await live.remove()
    }

    private func expect(
        _ run: Run,
        _ status: ExitCode,
        out: String? = nil,
        err: String? = nil,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(run.status == status, "\(run.err)", sourceLocation: location)
        if let out { #expect(run.out.contains(out), "\(run.out)", sourceLocation: location) }
        if let err { #expect(run.err.contains(err), "\(run.err)", sourceLocation: location) }
    }

    private func schema(_ live: LiveDatabase) async throws {
        expect(await live.run("tenant list", as: "nobody_of_that_name"), .databaseAway)
        let first = await live.run("migrate", as: nil)
        expect(first, .success)
        #expect(first.out.contains(/m0001_core +applied\n/))
        let second = await live.run("migrate", as: nil)
        expect(second, .success, err: "up to date")
        #expect(second.out.contains(/m0001_core +present\n/))
    }

    private func tenants(_ live: LiveDatabase) async throws {
        expect(await live.run("tenant list"), .success, err: "No tenant yet")
        expect(await live.run("tenant create chillin --time-zone foo3"), .dataRefused, err: "no time zone 'foo3'")
        let made = await live.run("tenant create chillin --name 칠하다 --time-zone Asia/Seoul --guest")
        expect(
            made,
            .success,
            out:
                "NAME                  칠하다\nSTATE                 active\nGUEST                 yes\nTIME ZONE             Asia/Seoul\n"
        )
        expect(await live.run("tenant create chillin"), .dataRefused, err: "the slug is taken")
        expect(await live.run("tenant create other"), .success)
        expect(await live.run("tenant suspend chillin"), .success, out: "STATE                 suspended\n")
        expect(await live.run("tenant suspend chillin"), .success)
        expect(await live.run("tenant resume chillin"), .success, out: "STATE                 active\n")
        expect(await live.run("tenant show nobody"), .notFound)
        let set = await live.run("tenant update chillin --session-idle 14d --sessions-max 10")
        expect(set, .success, out: "SESSION IDLE          14d\nSESSION ABSOLUTE      90d\nSESSIONS MAX          10\n")
        expect(await live.run("tenant update chillin --session-idle 14d"), .success)
        expect(await live.run("tenant update chillin --session-idle 5m"), .dataRefused, err: "from 10m to 365d")
        expect(
            await live.run("tenant update chillin --session-absolute 13d"),
            .dataRefused,
            err: "at least --session-idle, which is 14d"
        )
        expect(await live.run("tenant update nobody --sessions-max none"), .notFound)
        for zone in [
            "foo3", "Asia/Soul", "+09:00", "localtime", "posixrules", "Factory", "posix/Asia/Seoul", "right/Asia/Seoul",
        ] {
            expect(
                await live.run("tenant update chillin --time-zone \(zone) --session-idle 7d"),
                .dataRefused,
                err: "no time zone '\(zone)'"
            )
        }
        expect(await live.run("tenant show chillin"), .success, out: "SESSION IDLE          14d\n")
        let moved = await live.run("tenant update chillin --time-zone America/New_York")
        expect(moved, .success, out: "America/New_York")
        expect(await live.run("audit list chillin --action tenant.time-zone"), .success, out: "America/New_York")
        expect(await live.run("tenant update chillin --time-zone Asia/Seoul"), .success, out: "Asia/Seoul")
        expect(await live.run("tenant create third", as: "chil_service"), .notPermitted)
    }

    private func clients(_ live: LiveDatabase) async throws {
        expect(await live.run("client list chillin"), .success, err: "nobody can sign in")
        expect(
            await live.run("client add chillin --client-id a.b --client-id c.d"),
            .success,
            out: "c.d        native  https://appleid"
        )
        expect(await live.run("client add chillin --client-id a.b"), .dataRefused, err: "has that client id already")
        expect(await live.run("client add other --client-id a.b"), .dataRefused, err: "belongs to another tenant")
        expect(
            await live.run("client add chillin --client-id e.f --nonce-policy client"),
            .dataRefused,
            err: "already, with another --nonce-policy"
        )
        let flags =
            "--issuer http://127.0.0.1:1 --jwks-url http://127.0.0.1:1/k --allow-private 127.0.0.1:1 --development"
        for tenant in ["chillin", "other"] {
            expect(await live.run("client add \(tenant) --client-id dev.app \(flags)"), .success, out: "dev.app")
        }
        expect(await live.run("client list other -o json"), .success, out: "\"allowPrivate\": \"127.0.0.1:1\"")
        expect(await live.run("client remove chillin --client-id c.d --confirm=chillin"), .success, err: "Removed.")
        expect(
            await live.run("client remove chillin --client-id c.d --confirm=chillin"),
            .notFound,
            err: "no client id 'c.d'"
        )
        expect(await live.run("client add other --client-id c.d"), .success)
    }

    private func keys(_ live: LiveDatabase) async throws {
        expect(await live.run("key list chillin"), .success, out: "active")
        expect(await live.run("key rotate chillin"), .success, out: "next", err: "Run this again in five minutes")
        expect(await live.run("key rotate chillin"), .success, out: "next", err: "run this again after 20")
        let rotated = await live.run("key rotate chillin --now -o json")
        expect(rotated, .success, out: "\"state\": \"active\"", err: "It signs within two seconds.")
        let members = try JSONSerialization.jsonObject(with: Data(rotated.out.utf8)) as? [[String: Any]]
        let keyID = try #require(members?.first?["keyId"] as? String)
        expect(
            await live.run("key revoke chillin --confirm=chillin nothing"),
            .notFound,
            err: "`chiladmin key list chillin` shows its keys."
        )
        expect(await live.run("key revoke other --confirm=other \(keyID)"), .notFound)
        expect(
            await live.run("key revoke chillin --confirm=chillin -- \(keyID)"),
            .success,
            out: "revoked",
            err: " signs."
        )
        expect(
            await live.run("key revoke chillin --confirm=chillin -- \(keyID)"),
            .success,
            err: "It was revoked before."
        )
        let list = await live.run("key list chillin")
        #expect(
            ["active", "retired", "revoked"].map { list.out.components(separatedBy: " \($0) ").count } == [2, 2, 2],
            "\(list.out)"
        )
        expect(await live.run("key rotate chillin --now", as: "chil_service"), .notPermitted)
        expect(await live.run("key reseal"), .success, out: "chillin         0           0            0")
        try await DatabaseScript(url: live.url(role: nil)).runScript(
            """
            insert into token_revocation (tenant_id, revocation_id, provider_id, client_id, sealed_token, updated_at)
            select tenant_id, n, 1, 'a', set_byte('\\x00ff', 0, n), now() from tenant, generate_series(1, 2) as n where slug = 'chillin'
            """
        )
        expect(await live.run("key reseal"), .success, err: "sealed under it still (1)")
        try await aKeyFileOfOthers(live)
        expect(await live.run("key reseal --tenant nobody"), .notFound)
    }

    private func aKeyFileOfOthers(_ live: LiveDatabase) async throws {
        let line = "1:\(String(repeating: "0f", count: 32))\n"
        for mode in [0o640, 0o604] {
            try live.setKeys(line, mode: mode)
            expect(await live.run("key reseal"), .configuration, err: "may be read by others\nchmod 600 it")
        }
        try live.setKeys(line)
    }

    private func sessions(_ live: LiveDatabase) async throws {
        expect(await live.run("session list chillin"), .success)
        expect(await live.run("session list nobody"), .notFound)
        expect(await live.run("session revoke chillin --session 5"), .success, out: "ENDED  0\n", err: "nothing to end")
        expect(await live.run("session revoke chillin --user 5"), .success, out: "ENDED  0\n")
    }

    private func quotas(_ live: LiveDatabase) async throws {
        expect(
            await live.run("quota set chillin drawings 5"),
            .success,
            out: "LIMIT       5\nSOFT LIMIT  -\nACTION      deny\nSOURCE      tenant\nRESETS AT   -\n"
        )
        expect(await live.run("quota set chillin print_jobs 100 --window day"), .success, out: "T15:00:00.000Z")
        expect(
            await live.run("limit set chillin user print 7 --per 30"),
            .success,
            out: "user     print       7       30  tenant"
        )
        expect(
            await live.run("limit unset chillin user all"),
            .success,
            out: "user     print      30       60  default"
        )
        let list = await live.run("quota list chillin")
        #expect(list.out.contains(/drawings +tenant +none +0 +5 +deny +tenant +-\n/), "\(list.out)")
        #expect(list.out.contains(/sessions_per_user +user +none +- +10 +deny +tenant +-\n/), "\(list.out)")
        expect(await live.run("quota list nobody"), .notFound)
        expect(await live.run("quota list chillin --user 5"), .notFound, err: "no user 5")
        expect(await live.run("quota list chillin --printer hall"), .notFound, err: "no printer 'hall'")
        expect(await live.run("quota recount --check"), .success, err: "Every count is what there is.")
        expect(await live.run("quota recount --check --tenant nobody"), .notFound)
    }

    /// Of the second tenant: the first one's trail is read as a whole.
    private func plans(_ live: LiveDatabase) async throws {
        expect(await live.run("plan list"), .success, err: "No plan yet")
        expect(await live.run("plan create basic"), .success, out: "TENANTS     0\nLIMITS      0\n")
        expect(await live.run("plan create basic"), .dataRefused, err: "there is a plan of that name")
        expect(await live.run("plan set basic drawings 5"), .success, err: "Changed 0 tenants.")
        expect(await live.run("plan set basic sessions_per_user 3"), .success)
        expect(await live.run("plan set large drawings 5"), .notFound, err: "no plan 'large'")
        let assigned = await live.run("plan assign other basic")
        #expect(assigned.out.contains(/drawings +tenant +none +0 +5 +deny +plan +-\n/), "\(assigned.out)")
        expect(
            await live.run("tenant show other"),
            .success,
            out: "SESSIONS MAX          3\nPLAN                  basic\n"
        )
        expect(await live.run("tenant update other --sessions-max 7"), .success, out: "SESSIONS MAX          7\n")
        expect(await live.run("tenant update other --sessions-max none"), .success, out: "SESSIONS MAX          3\n")
        expect(await live.run("plan set basic drawings 6 --soft 2"), .success, err: "Changed 1 tenants.")
        expect(await live.run("quota unset other drawings"), .dataRefused, err: "this limit is the plan's")
        expect(await live.run("quota set other drawings 9"), .success)
        expect(await live.run("plan set basic drawings 7"), .success, err: "Changed 0 tenants.")
        expect(await live.run("quota unset other drawings"), .success, err: "The plan's limit holds again.")
        expect(await live.run("plan remove basic --confirm=basic"), .dataRefused, err: "1 tenants have plan 'basic'")
        expect(await live.run("plan unset basic drawings"), .success, err: "Changed 1 tenants.")
        expect(await live.run("plan unset basic drawings"), .notFound, err: "no limit drawings tenant none")
        let shown = await live.run("plan show basic")
        #expect(shown.out.contains(/sessions_per_user +user +none +3 +- +deny\n/), "\(shown.out)")
        expect(await live.run("plan assign other large"), .notFound)
        expect(await live.run("plan assign other none"), .success)
        expect(await live.run("plan remove basic --confirm=basic"), .success, err: "Removed.")
        expect(await live.run("plan remove basic --confirm=basic"), .notFound)
        expect(await live.run("quota set other printers 0"), .success)
        expect(
            await live.run("printer add other --name p --uri ipp://h/ipp"),
            .dataRefused,
            err: "chiladmin quota set other printers"
        )
        expect(await live.run("quota unset other printers"), .success)
    }

    private func printers(_ live: LiveDatabase) async throws {
        expect(
            await live.run("printer add chillin --name office --uri ipp://127.0.0.1:1/ipp/print"),
            .success,
            out: "yes"
        )
        expect(await live.run("printer add chillin --name office --uri ipp://h/ipp"), .dataRefused, err: "of that name")
        expect(await live.run("printer add chillin --name two --uri ipp://h/ipp --default"), .success)
        expect(
            await live.run("printer list chillin"),
            .success,
            out: "office  ipp://127.0.0.1:1/ipp/print  no       -             enabled  -     -        -\n"
        )
        expect(await live.run("printer test chillin office"), .failed, err: "can't be reached")
        expect(await live.run("printer test other office"), .notFound)
        expect(await live.run("printer remove chillin two"), .success, err: "It was the default")
        expect(await live.run("printer remove chillin two"), .notFound)
        expect(await live.run("printer add other --name hall --uri ipp://h/ipp"), .success)
        expect(await live.run("quota set other print_jobs 5 --scope printer --window day"), .success)
        let whole = await live.run("quota list other"), own = await live.run("quota list other --printer hall")
        #expect(whole.out.contains(/print_jobs +printer +day +- +5 +deny/), "\(whole.out)")
        #expect(own.out.contains(/print_jobs +printer +day +0 +5 +deny/), "\(own.out)")
    }

    /// Every change is there with who did it, what changed nothing is not, and the tenant's key opens with the key file.
    private func audit(_ live: LiveDatabase) async throws {
        let thread = try LoopThread()
        let database = SharedDatabase(DatabaseConfiguration(url: live.url(role: "chil_operator")), on: thread.loop)
        let tenant = try #require(try await database.run(TenantBySlug(slug: "chillin"), .read, of: nil).first)
        let trail = try await AuditTrail(of: tenant.id, countMax: 50).rows(from: database)
        #expect(Set(trail.map(\.actor)) == ["ann"])
        #expect(
            trail.reversed().map(\.action) == [
                "tenant.create", "tenant.state", "tenant.state", "tenant.sessions", "quota.set",
                "tenant.time-zone", "tenant.time-zone",
                "provider.create", "client.add",
                "client.add",
                "provider.create", "client.add", "client.remove", "key.rotate", "key.rotate", "key.revoke", "quota.set",
                "quota.set", "limit.set", "limit.unset", "printer.add",
                "printer.add",
                "printer.remove",
            ]
        )
        let key = try #require(try await TenantKeyList(of: tenant.id).rows(from: database).last)
        let ring = try KeyRing(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: live.keyFile))))
        let opened = try Sealer(ring).open(key.sealedPrivate, tenant: tenant.id, column: TenantKeyRecord.sealedColumn)
        #expect(try ES256PrivateKey(pkcs8: try #require(opened)).publicKey.x == key.publicX)
        await database.close()
        thread.loop.stop()
        thread.join()
    }
}
