import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilDevIssuer
import ChilStore
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// The operator's commands against the stand-in for the provider.
@Suite struct LiveProviderTests {
    /// A database with a tenant, an issuer that knows two teams, and a folder with their keys.
    private struct Bed {
        static let clientID = "com.example.app"
        let live: LiveDatabase
        let server: IssuerServer
        let folder: URL
        let team: ES256PrivateKey
        let newTeam: ES256PrivateKey

        init() async throws {
            live = try await LiveDatabase()
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-provider-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let (team, newTeam) = (try ES256PrivateKey(), try ES256PrivateKey())
            (self.team, self.newTeam) = (team, newTeam)
            server = try IssuerServer { origin in
                var settings = IssuerSettings(
                    issuer: origin,
                    teams: [
                        DeveloperTeam(teamID: "TEAM000001", keyID: "KEY0000001", publicKey: team.publicKey),
                        DeveloperTeam(teamID: "TEAM000002", keyID: "KEY0000002", publicKey: newTeam.publicKey),
                    ]
                )
                settings.clients = [Self.clientID: [], "com.example.second": []]
                return try DevelopmentIssuer(settings)
            }
            try place(team, "team.p8")
            try place(newTeam, "new.p8")
            try await done("migrate", as: nil)
            for tenant in ["one", "two"] {
                try await done("tenant create \(tenant)")
                try await done(
                    "client add \(tenant) --client-id \(Self.clientID) --issuer \(server.origin) --development"
                        + " --jwks-url \(server.origin)/auth/keys --allow-private \(server.authority)"
                )
            }
        }

        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

        func place(_ key: ES256PrivateKey, _ name: String) throws {
            try Data(try key.pem().copy()).write(to: URL(fileURLWithPath: path(name)))
        }

        @discardableResult
        func done(_ line: String, as role: String? = "chil_operator") async throws -> Run {
            let run = await live.run(line, as: role)
            try #require(run.status == .success, "\(line): \(run.err)")
            return run
        }

        /// The REST side of a record, and its credentials.
        var urls: String {
            "--token-url \(server.origin)/auth/token --revoke-url \(server.origin)/auth/revoke"
                + " --migration-url \(server.origin)/auth/usermigrationinfo"
        }
        var credentials: String { "--team TEAM000001 --key-id KEY0000001 --p8-file \(path("team.p8"))" }
        var newCredentials: String { "--team TEAM000002 --key-id KEY0000002 --p8-file \(path("new.p8"))" }

        func subjects(of slug: String) async throws -> Set<String> {
            try await live.withOperator { database in
                let tenants = try await database.run(TenantBySlug(slug: slug), .read, of: nil)
                let tenant = try #require(tenants.first)
                let provider = try #require(try await ProviderList(of: tenant.id).rows(from: database).first)
                let page = SubjectPage(of: provider.id, in: tenant.id, after: "", countMax: 1_000)
                return Set(try await page.rows(from: database))
            }
        }

        func remove() async throws {
            server.stop()
            try FileManager.default.removeItem(at: folder)
            try await live.remove()
        }
    }

    private func with(_ body: (Bed) async throws -> Void) async throws {
        let bed = try await Bed()
        let failure: (any Error)?
        do {
            try await body(bed)
            failure = nil
        } catch {
            failure = error
        }
        try await bed.remove()
        if let failure { throw failure }
    }

    private func expect(
        _ run: Run,
        _ status: ExitCode,
        out: String = "",
        err: String = "",
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(run.status == status, "\(run.err)", sourceLocation: location)
        if !out.isEmpty { #expect(run.out.contains(out), "\(run.out)", sourceLocation: location) }
        if !err.isEmpty { #expect(run.err.contains(err), "\(run.err)", sourceLocation: location) }
    }

    @Test func credentialsAreCheckedWithTheProvider() async throws {
        try await with { bed in
            func check(_ more: String = "") async -> Run { await bed.live.run("client check one \(more)") }
            expect(await check(), .configuration, err: "has no token URL")
            try await bed.done("client set one \(bed.urls)")
            expect(await check(), .configuration, err: "has no credentials")
            expect(
                try await bed.done("client set one \(bed.credentials)"),
                .success,
                err: "Check them: `chiladmin client check one`."
            )
            expect(
                await check(),
                .success,
                out: "com.example.app  TEAM000001  KEY0000001  \(bed.server.origin)/auth/token"
            )
            #expect(bed.server.issuer.calls(of: .token).map(\.error) == ["invalid_grant"])

            // Another team's key under this team's name.
            try await bed.done("client set one --key-id KEY0000001 --p8-file \(bed.path("new.p8"))")
            expect(
                await check(),
                .failed,
                err: "com.example.app: the provider refuses the credentials (invalid_client: "
            )
            expect(await bed.live.run("client list one -o json"), .success, out: "\"credentials\": \"refused\"")
            expect(
                await bed.live.run("client list one -o json"),
                .success,
                out: "\"credentialFault\": \"com.example.app: inv"
            )
            // New credentials are believed until the provider says otherwise.
            try await bed.done("client set one \(bed.credentials)")
            expect(await bed.live.run("client list one -o json"), .success, out: "\"credentials\": \"set\"")

            // A client id that the provider does not know, beside one that it knows.
            try await bed.done(
                "client add one --client-id com.example.third --issuer \(bed.server.origin) --development"
                    + " --jwks-url \(bed.server.origin)/auth/keys --allow-private \(bed.server.authority)"
            )
            expect(await check(), .failed, err: "com.example.third: the provider refuses the credentials")
            expect(await check("--client-id com.example.app"), .success, out: "com.example.app")
            expect(await check("--client-id nobody"), .notFound, err: "no client id 'nobody'")
            try await bed.done("client remove one --client-id com.example.third --confirm=one")
            expect(await check(), .success)
            expect(await bed.live.run("client list one -o json"), .success, out: "\"credentials\": \"set\"")

            // An answer that means nothing changes nothing.
            bed.server.issuer.fail(.token, with: .error500)
            expect(await check(), .tryLater, err: "the provider does not answer (status 500)")
            bed.server.issuer.fail(.token, with: .refusal("invalid_request"))
            expect(await check(), .failed, err: "refuses the request (invalid_request")
            expect(await bed.live.run("client list one -o json"), .success, out: "\"credentials\": \"set\"")

            // The other tenant has nothing of it.
            expect(await bed.live.run("client check two"), .configuration, err: "has no token URL")
            try await bed.done("client set one --no-credentials")
            expect(await check(), .configuration, err: "has no credentials")
        }
    }

    @Test func aKeyIsSealedForItsTenant() async throws {
        try await with { bed in
            try await bed.done("client set one \(bed.urls) \(bed.credentials)")
            let plain = try bed.team.pkcs8()
            let ring = try KeyRing(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: bed.live.keyFile))))
            let (one, two, record) = try await bed.live.withOperator { database in
                let tenants = try await database.run(ChilStore.TenantList(), .read, of: nil)
                let record = try await ProviderList(of: tenants[0].id).rows(from: database).first
                return (tenants[0].id, tenants[1].id, try #require(record))
            }
            let sealed = try #require(record.rest.credentials)
            #expect(sealed.teamID == "TEAM000001" && sealed.keyID == "KEY0000001")
            let secret = Array(plain.copy().suffix(100))
            #expect(!sealed.sealedKey.indices.contains { sealed.sealedKey[$0...].starts(with: secret.prefix(16)) })
            let sealer = Sealer(ring)
            let column = ProviderREST.sealedColumn
            #expect(try sealer.open(sealed.sealedKey, tenant: one, column: column) == plain)
            #expect(try sealer.open(sealed.sealedKey, tenant: two, column: column) == nil)
            #expect(try sealer.open(sealed.sealedKey, tenant: one, column: TenantKeyRecord.sealedColumn) == nil)
            // Without the key file that sealed it, the key is told to be closed.
            try bed.live.setKeys("2:\(String(repeating: "aa", count: 32))\n")
            expect(await bed.live.run("client check one"), .configuration, err: "the provider's key does not open")
        }
    }

    @Test func wrongFilesAndAddressesAreRefused() async throws {
        try await with { bed in
            let set = "client set one --team T --key-id K --p8-file"
            expect(await bed.live.run("\(set) \(bed.path("none.p8"))"), .dataRefused, err: "there is no file")
            try Data("-----BEGIN EC PRIVATE KEY-----\n".utf8).write(to: URL(fileURLWithPath: bed.path("ec.p8")))
            expect(await bed.live.run("\(set) \(bed.path("ec.p8"))"), .dataRefused, err: "holds a EC PRIVATE KEY")
            expect(
                await bed.live.run("client set one --key-id K --p8-file \(bed.path("team.p8"))"),
                .dataRefused,
                err: "the record has no team yet"
            )
            expect(await bed.live.run("client set nobody --nonce-policy client"), .notFound, err: "no tenant 'nobody'")
            expect(
                await bed.live.run("client set one --for-issuer https://i --nonce-policy client"),
                .notFound,
                err: "no such record of tenant 'one' accepts 'https://i'"
            )
            // A record of production speaks TLS.
            try await bed.done("client add one --client-id com.example.prod")
            let production = "client set one --for-issuer https://appleid.apple.com"
            expect(
                await bed.live.run("\(production) --token-url http://127.0.0.1:1/t"),
                .dataRefused,
                err: "is for development"
            )
            let use = "--client-id com.example.prod --use web --redirect-uri http://h/cb --return-url app://in"
            expect(await bed.live.run("\(production) \(use)"), .dataRefused, err: "is for development: http://h/cb")
            // Two records: one must be named.
            expect(
                await bed.live.run("client set one --nonce-policy client"),
                .dataRefused,
                err: "has 2 records that fit"
            )
            expect(await bed.live.run("client set one --client-id com.example.app --nonce-policy client"), .success)
            // Apple's record has Apple's REST side from the start.
            expect(
                await bed.live.run("client list one -o json"),
                .success,
                out: "\"tokenUrl\": \"https://appleid.apple.com/auth/token\""
            )
            expect(
                await bed.live.run(
                    "client set one --for-issuer \(bed.server.origin) --issuer https://account.apple.com"
                ),
                .dataRefused,
                err: "one of the issuers belongs to another record of this tenant"
            )
        }
    }

    @Test func aServicesIDHasItsAddresses() async throws {
        try await with { bed in
            let use = "--use web --redirect-uri https://api.example/one/auth/apple/callback --return-url app.one://in"
            let run = try await bed.done("client set one --client-id com.example.app \(use) -o json")
            #expect(run.out.contains("\"use\": \"web\"") && run.out.contains("\"returnUrl\": \"app.one://in\""))
            let back = try await bed.done("client set one --client-id com.example.app --use native -o json")
            #expect(back.out.contains("\"use\": \"native\"") && back.out.contains("\"redirectUri\": null"))
        }
    }

    /// The app goes from team 1 to team 2, and its users stay the same users.
    @Test func usersMoveToAnotherTeam() async throws {
        try await with { bed in
            try await bed.done("client set one \(bed.urls) \(bed.credentials)")
            let subjects = (0..<20).map { "000\(10 + $0).user.\($0)" }
            try await people(subjects, bed)
            let file = bed.path("users.csv")
            let export = "apple transfer export one --client-id com.example.app --target TEAM000002 --out \(file)"

            // The provider goes away in the middle: what is there stays, and the next run goes on.
            bed.server.issuer.fail(.migration, with: .refusal("invalid_client"))
            expect(await bed.live.run(export), .failed, err: "refuses the credentials")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let cut = try String(contentsOfFile: file, encoding: .utf8)
            try (cut + "half a li").write(toFile: file, atomically: true, encoding: .utf8)
            bed.server.issuer.fail(.migration, with: .error503)
            let second = await bed.live.run(export)
            expect(second, .success, out: "WRITTEN  20\nPRESENT  0\nREFUSED  0\n")
            let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
            #expect(lines.count == 21 && lines[0] == "sub,transfer_sub")
            #expect(lines.dropFirst().map { $0.split(separator: ",")[0] }.sorted() == subjects.map { $0[...] }.sorted())

            // A run again asks for those alone who came since.
            try await people(["00099.late.0"], bed)
            let asked = bed.server.issuer.calls(of: .migration).count
            expect(await bed.live.run(export), .success, out: "WRITTEN  1\nPRESENT  20\n")
            #expect(bed.server.issuer.calls(of: .migration).count == asked + 1)

            // The app is with team 2 now: half of the file first, then all of it.
            try await bed.done("client set one \(bed.newCredentials)")
            let half = bed.path("half.csv")
            try (lines[...10].joined(separator: "\n") + "\n").write(toFile: half, atomically: true, encoding: .utf8)
            let import_ = "apple transfer import one --client-id com.example.app"
            expect(
                await bed.live.run("\(import_) --file \(half)"),
                .success,
                out: "IMPORTED  10\n",
                err: "10 users are moved at"
            )
            expect(await bed.live.run("\(import_) --file \(half)"), .success, out: "IMPORTED  0\n")
            let moved = await bed.live.run("\(import_) --file \(file) --move-now")
            expect(
                moved,
                .success,
                out: "IMPORTED  11\nMOVED     21\nGONE      0\nTAKEN     0\nREFUSED   0\nWAITING   0\n"
            )
            expect(await bed.live.run("\(import_) --move-now"), .success, out: "MOVED     0\n")

            let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
            let wanted = try lines.dropFirst().map { line in
                let transfer = String(line.split(separator: ",")[1])
                return try #require(bed.server.issuer.subject(ofTransfer: transfer, to: "TEAM000002", at: now))
            }
            let found = try await bed.subjects(of: "one")
            #expect(Set(wanted).isSubset(of: found) && found.count == 21)
            #expect(try await bed.subjects(of: "two") == [])
        }
    }

    @Test func whoCannotBeMovedIsTold() async throws {
        try await with { bed in
            try await bed.done("client set one \(bed.urls) \(bed.credentials)")
            try await people(["a", "b"], bed)
            let file = bed.path("users.csv")
            let export = "apple transfer export one --client-id com.example.app --target TEAM000002 --out \(file)"
            bed.server.issuer.fail(.migration, with: .refusal("invalid_request"))
            expect(
                await bed.live.run(export),
                .success,
                out: "WRITTEN  1\nPRESENT  0\nREFUSED  1\n",
                err: "no identifier for 1 users"
            )

            // With the credentials of the team that it leaves, nobody is moved, and nothing is lost.
            let import_ = "apple transfer import one --client-id com.example.app --file \(file) --move-now"
            expect(
                await bed.live.run(import_),
                .success,
                out: "MOVED     0\n",
                err: "The provider does not know 1 identifiers"
            )
            try await bed.done("client set one \(bed.newCredentials)")
            expect(await bed.live.run(import_), .success, out: "IMPORTED  0\nMOVED     1\n")

            try Data("a,b\n".utf8).write(to: URL(fileURLWithPath: bed.path("bad.csv")))
            let bad = "apple transfer import one --client-id com.example.app --file \(bed.path("bad.csv"))"
            expect(await bed.live.run(bad), .dataRefused, err: "line 1: the first line must name the columns")
            expect(await bed.live.run("\(bad).not"), .outputNotMade, err: "cannot be read")
            let two = "apple transfer import two --client-id com.example.app --file \(file)"
            expect(await bed.live.run("\(two) --move-now"), .configuration, err: "has no token URL")
            // A file that is another's stays as it is.
            expect(
                await bed.live.run(
                    "apple transfer export one --client-id com.example.app --target T --out \(bed.path("bad.csv"))"
                ),
                .dataRefused,
                err: "line 1"
            )
            #expect(try String(contentsOfFile: bed.path("bad.csv"), encoding: .utf8) == "a,b\n")
        }
    }

    /// When all are refused from the start, it is not the users.
    @Test func aWrongTargetIsFoundOutEarly() async throws {
        try await with { bed in
            try await bed.done("client set one \(bed.urls) \(bed.credentials)")
            try await people((0..<40).map { "user.\($0)" }, bed)
            let export =
                "apple transfer export one --client-id com.example.app --target TEAM000001 --out \(bed.path("u.csv"))"
            expect(
                await bed.live.run(export),
                .failed,
                err: "the first 16 users: the provider refuses the request (invalid_request"
            )
            #expect(bed.server.issuer.calls(of: .migration).count == 16)
        }
    }

    /// Users of tenant `one` with these subjects.
    private func people(_ subjects: [String], _ bed: Bed) async throws {
        let rows = subjects.map { "('\($0)')" }.joined(separator: ", ")
        try await bed.live.script(
            """
            with wanted as (
                select t.tenant_id, p.provider_id, s.subject,
                       (select coalesce(max(user_id), 0) from app_user) + row_number() over () as user_id
                  from tenant t join provider p on p.tenant_id = t.tenant_id cross join (values \(rows)) as s (subject)
                 where t.slug = 'one'
            ), people as (
                insert into app_user (tenant_id, user_id, created_at, updated_at)
                select tenant_id, user_id, now(), now() from wanted
            )
            insert into identity (tenant_id, provider_id, subject, user_id, created_at)
            select tenant_id, provider_id, subject, user_id, now() from wanted
            """
        )
    }
}
