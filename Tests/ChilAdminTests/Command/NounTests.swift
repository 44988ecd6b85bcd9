import ChilStore
import Testing

@testable import ChilAdmin

@Suite struct NounTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let line: String
        let message: String
        var testDescription: String { line }

        init(_ line: String, _ message: String) { (self.line, self.message) = (line, message) }
    }

    @Test(arguments: [
        Row("tenant create Chillin", "SLUG: 'Chillin': a slug is 1 to 40 of a-z, 0-9 and '-'"),
        Row("tenant create a/b", "SLUG: 'a/b': a slug is 1 to 40 of a-z, 0-9 and '-'"),
        Row("tenant create -- --guest", "SLUG: '--guest': a slug is 1 to 40 of a-z, 0-9 and '-'"),
        Row("tenant create api", "SLUG: 'api': the slug is a word that routes need"),
        Row(
            "tenant update chillin",
            "--name, --session-idle, --session-absolute, --sessions-max, --time-zone, --guest, --guest-prints, --print-scale, --paper or --job-mark is missing"
        ),
        Row("tenant update chillin --session-idle 30", "--session-idle: '30' is not a length such as 600s"),
        Row("tenant update chillin --session-idle 0d", "--session-idle: '0d' is not a length"),
        Row("tenant update chillin --session-absolute 1826d", "--session-absolute: '1826d' is not a length"),
        Row(
            "tenant update chillin --session-idle 99999999999999999999d",
            "--session-idle: '99999999999999999999d' is not"
        ),
        Row("image move --to disk", "--to: 'disk' is not one of s3, postgres"),
        Row("tenant update chillin --print-scale A4", "--print-scale: 'A4' is not one of page, paper"),
        Row(
            "tenant update chillin --paper foolscap",
            "--paper: 'foolscap' is not one of any, a3, a4, a5, a6, b5, letter"
        ),
        Row("tenant update chillin --job-mark yes", "--job-mark: 'yes' is not one of on, off"),
        Row("tenant update chillin --guest yes", "--guest: 'yes' is not one of on, off"),
        Row("tenant update chillin --guest-prints 0", "--guest-prints: '0' is not a whole number from 1 to 100000"),
        Row(
            "tenant update chillin --sessions-max 0",
            "--sessions-max: '0' is not a whole number from 1 to 1000, or none"
        ),
        Row("key revoke chillin", "KEY is missing"),
        Row("tenant consent chillin", "--require or --notice is missing"),
        Row(
            "tenant consent chillin --require all",
            "--require: 'all' is not scopes such as collect,disclose:epson, or none"
        ),
        Row("tenant consent chillin --require collect,", "--require: 'collect,' is not scopes"),
        Row("tenant consent chillin --require collect,collect", "--require: 'collect,collect' is not scopes"),
        Row("tenant consent chillin --require disclose:", "--require: 'disclose:' is not scopes"),
        Row("tenant consent chillin --require disclose:Epson", "--require: 'disclose:Epson' is not scopes"),
        Row("tenant consent chillin --require disclose:-a", "--require: 'disclose:-a' is not scopes"),
        Row("tenant consent chillin --notice 0", "--notice: '0' is not a version"),
        Row("tenant consent chillin --notice 2147483648", "--notice: '2147483648' is not a version"),
        Row("consent record chillin 7 --scopes collect --method sms --notice 1", "--guardian is missing"),
        Row("consent record chillin 7 --scopes none --method sms --notice 1", "--scopes: none is no scope"),
        Row(
            "consent record chillin 7 --scopes collect --guardian g --method fax",
            "--method: 'fax' is not one of sms, card, phone-identity"
        ),
        Row("consent withdraw chillin 7", "--scopes is missing"),
        Row("consent list chillin ann", "USER: 'ann' is not a user's number"),
        Row("retention set chillin drawings 3", "CLASS: 'drawings' is not one of drawings.generated"),
        Row(
            "retention set chillin audit 0",
            "DAYS|forever: '0' is not a whole number of days from 1 to 36500, or forever"
        ),
        Row("retention set chillin audit 36501", "DAYS|forever: '36501' is not a whole number of days"),
        Row("retention set chillin audit never", "DAYS|forever: 'never' is not a whole number of days"),
        Row("user hold chillin 7", "--reason is missing"),
        Row("user hold chillin 7 --reason=", "--reason: '' is not 1 to 400 bytes"),
        Row("erasure done chillin 9", "--confirm is missing"),
        Row("erasure refuse chillin 9", "--reason is missing"),
        Row("erasure refuse chillin x --reason no", "REQUEST: 'x' is not a request's number"),
        Row("ledger apply --file a", "--confirm is missing"),
        Row("ledger export", "--out is missing"),
        Row("audit affected-users chillin --since 2026-11-01", "--since: '2026-11-01' is not a time such as"),
        Row(
            "audit affected-users chillin --since 2026-11-01T00:00:00Z --until 2026-11-01T00:00:00Z",
            "--until is not after --since"
        ),
        Row(
            "printer add chillin --name a --uri ipp://h/p --discloses-to Epson",
            "--discloses-to: 'Epson' is not a party's name"
        ),
        Row("session list chillin --limit 0", "--limit: not a whole number from 1 to 1000"),
        Row("session list chillin --user ann", "--user: 'ann' is not a user's number"),
        Row("session revoke chillin", "--session or --user is missing"),
        Row("session revoke chillin --session 1 --user 2", "--session and --user are given both"),
        Row(
            "session revoke chillin --session 9007199254740992",
            "--session: '9007199254740992' is not a session's number"
        ),
        Row("client add chillin --client-id", "--client-id needs a value"),
        Row("client add chillin --client-id a --issuer https://i", "--jwks-url is missing"),
        Row("client add chillin --client-id a --jwks-url https://i/k", "--issuer is missing"),
        Row("client add chillin --client-id a --issuer http://i --jwks-url http://i/k", "http:// is for development"),
        Row(
            "client add chillin --client-id a --algorithms none",
            "--algorithms: 'none' is not ES256, RS256 or ES256,RS256"
        ),
        Row(
            "client add chillin --client-id a --nonce-policy any",
            "--nonce-policy: 'any' is not one of server, client, optional"
        ),
        Row(
            "client add chillin --client-id a --allow-private 10.0.0.1",
            "--allow-private: '10.0.0.1' is not HOST:PORT"
        ),
        Row("client set chillin", "nothing to change"),
        Row("client set chillin --client-id a", "nothing to change"),
        Row("client set chillin --team A1B2C3D4E5", "--key-id is missing"),
        Row("client set chillin --key-id K --team T", "--p8-file is missing"),
        Row("client set chillin --p8-file f --team T", "--key-id is missing"),
        Row(
            "client set chillin --team A-B --key-id K --p8-file f",
            "--team: 'A-B' is not 1 to 64 ASCII letters and digits"
        ),
        Row(
            "client set chillin --key-id K --p8-file f --no-credentials",
            "--no-credentials and --p8-file exclude each other"
        ),
        Row("client set chillin --use native", "--client-id is missing"),
        Row("client set chillin --client-id a --use web --return-url https://a.example/b", "--redirect-uri is missing"),
        Row("client set chillin --client-id a --use web --redirect-uri https://a.example/b", "--return-url is missing"),
        Row("client set chillin --client-id a --redirect-uri https://a.example/b", "--use web is missing"),
        Row("client set chillin --client-id a --use native --return-url a://b", "--use web is missing"),
        Row("client set chillin --client-id a --use app", "--use: 'app' is not one of native, web"),
        Row(
            "client set chillin --client-id a --use web --redirect-uri https://a.example/b --return-url javascript://x",
            "--return-url: 'javascript://x' is not https://… or an app's scheme"
        ),
        Row("client set chillin --issuer https://i --issuer https://i", "--issuer: one is given twice"),
        Row("client set chillin --token-url ftp://i", "--token-url: 'ftp://i' is not an https:// address"),
        Row("client set chillin --token-age-max 59", "--token-age-max: not a whole number from 60 to 86400"),
        Row("client set chillin --token-age-max 86401", "--token-age-max: not a whole number from 60 to 86400"),
        Row(
            "client set chillin --allow-private h:1 --no-allow-private",
            "--no-allow-private and --allow-private exclude each other"
        ),
        Row("client set chillin --nonce-policy none", "--nonce-policy: 'none' is not one of server, client, optional"),
        Row("apple transfer exprot", "unknown command 'apple transfer exprot'"),
        Row("apple export chillin", "unknown command 'apple export'"),
        Row("apple transfer export chillin --client-id a --out f", "--target is missing"),
        Row("apple transfer export chillin --target T --out f", "--client-id is missing"),
        Row("apple transfer import chillin --client-id a", "--file is missing"),
        Row("client remove chillin --client-id a --client-id b", "--client-id is given twice"),
        Row("user show chillin ann", "USER: 'ann' is not a user's number"),
        Row("user show chillin 0", "USER: '0' is not a user's number"),
        Row("user show chillin 9007199254740992", "USER: '9007199254740992' is not a user's number"),
        Row("user list chillin --limit 0", "--limit: not a whole number from 1 to 1000"),
        Row("user list chillin --before x", "--before: 'x' is not a user's number"),
        Row("user delete chillin 7", "--confirm is missing"),
        Row("user export chillin 7", "--out is missing"),
        Row("quota set chillin drawings", "LIMIT is missing"),
        Row("quota set chillin drawing 5", "METRIC: 'drawing' is not one of"),
        Row("quota set chillin drawings -5", "unknown flag '-5'"),
        Row("quota set chillin drawings -- -5", "LIMIT: '-5' is not a whole number from 0 to"),
        Row(
            "quota set chillin drawings 5 --window week",
            "--window: 'week' is not one of none, minute, hour, day, month"
        ),
        Row("limit set chillin user print", "COUNT is missing"),
        Row("limit set chillin user paper 5", "CLASS: 'paper' is not one of auth, read, write, print, all"),
        Row("limit set chillin person print 5", "SCOPE: 'person' is not one of address, tenant, user, all"),
        Row("limit set chillin user print 0", "COUNT: '0' is not a whole number from 1 to 1000000000"),
        Row("limit set chillin user print 1000000001", "COUNT: '1000000001' is not a whole number"),
        Row("limit set chillin user print 5 --per 0", "--per: '0' is not a whole number of seconds from 1 to 86400"),
        Row("limit set chillin user print 5 --per 86401", "--per: '86401' is not a whole number of seconds"),
        Row("limit unset chillin user", "CLASS is missing"),
        Row(
            "quota set chillin print_jobs 5",
            "print_jobs is counted by window\nGive the window minute, hour, day or month."
        ),
        Row("quota set chillin users 5 --scope user", "users cannot be limited for each user\nGive the scope tenant."),
        Row("quota set chillin storage_bytes 5 --window day", "storage_bytes has no window day\nGive the window none."),
        Row(
            "quota set chillin sessions_per_user 0",
            "0 is no limit of sessions_per_user\nGive a whole number from 1 to 1000."
        ),
        Row("quota set chillin drawings 5 --soft 6", "a soft limit of 6 never warns before 5\nGive one from 0 to 5."),
        Row("quota set chillin drawings 5 --action refuse", "--action: 'refuse' is not one of deny, warn"),
        Row("quota set chillin drawings 5 --scope all", "--scope: 'all' is not one of tenant, user, printer"),
        Row("quota unset chillin", "METRIC is missing"),
        Row("quota unset chillin requests", "requests is counted by window"),
        Row("plan create Basic", "PLAN: 'Basic' is not a plan's name"),
        Row("plan create none", "PLAN: 'none' is not a plan's name"),
        Row("plan set basic drawings", "LIMIT is missing"),
        Row("plan assign chillin", "PLAN is missing"),
        Row("printer add chillin --name p", "--uri is missing"),
        Row("printer add chillin --name p --uri http://h/", "--uri: 'http://h/': The address must begin with ipp://"),
        Row("dev issuer --keys k --listen 8082", "--listen: '8082' is not HOST:PORT"),
        Row("dev token --keys k --issuer http://i --client-id a --subject s --count 5", "--out is missing"),
        Row(
            "dev token --keys k --issuer http://i --client-id a --subject s --count 0 --out f",
            "--count: not a whole number"
        ),
        Row(
            "dev token --keys k --issuer http://i --client-id a --subject s --alg HS256",
            "--alg: 'HS256' is not one of"
        ),
        Row(
            "dev token --keys k --issuer http://i --client-id a --subject s --claim x",
            "--claim: 'x' is not NAME=VALUE"
        ),
    ])
    func wrongValuesNeverReachTheServices(_ row: Row) async {
        let services = FakeServices()
        let run = await Run(row.line, services: services)
        #expect(run.status == .usage)
        #expect(run.err.hasPrefix("chiladmin: " + row.message), "\(run.err)")
        #expect(services.asked.isEmpty)
    }

    @Test func aChangeNamesWhatItChangesAlone() async throws {
        let services = FakeServices()
        let flags =
            "--nonce-policy client --token-age-max 3600 --issuer https://a --issuer https://b --no-allow-private"
        #expect(await Run("client set chillin --for-issuer https://a \(flags)", services: services).status == .success)
        let change = try #require(services.providerChanges.first)
        var wanted = ProviderSet.Changes()
        wanted.noncePolicy = .client
        wanted.iatAgeMax = .seconds(3_600)
        wanted.issuers = ["https://a", "https://b"]
        wanted.allowedPrivateEndpoint = .remove
        #expect(change.settings == wanted)
        #expect(wanted.names == ["issuers", "nonce_policy", "iat_age_max", "allowed_private_endpoint"])
        #expect(change.choice.issuer?.text == "https://a" && change.choice.clientID == nil)
        #expect(change.credentials == nil && change.use == nil && change.unencrypted.isEmpty)
    }

    @Test func aChangeTellsWhatIsUnencrypted() async throws {
        let services = FakeServices()
        let web = "--client-id a --use web --redirect-uri http://h/c --return-url http://h/r"
        _ = await Run("client set chillin \(web) --token-url http://h/t --revoke-url https://h/r", services: services)
        let change = try #require(services.providerChanges.first)
        #expect(change.unencrypted == ["http://h/t", "http://h/c", "http://h/r"])
        #expect(change.settings.tokenURL == "http://h/t" && change.settings.revokeURL == "https://h/r")
    }

    @Test func anImportTellsWhatIsLeft() async throws {
        let services = FakeServices()
        services.transferImport = TransferImportRow(
            imported: 9,
            moved: 1,
            taken: 2,
            refused: 3,
            refusal: "no",
            waiting: 4
        )
        let run = await Run("apple transfer import chillin --client-id a --file f", services: services)
        #expect(run.err.contains("2 users have a new account under their new subject already"))
        #expect(run.err.contains("does not know 3 identifiers (no)"))
        #expect(run.err.contains("4 users are moved at their next sign-in"))
        services.transferExport.refused = 2
        services.transferExport.refusal = "invalid_request"
        let line = "apple transfer export chillin --client-id a --target T --out f"
        #expect(await Run(line, services: services).err.contains("no identifier for 2 users (invalid_request)"))
    }

    @Test(arguments: ["apple", "apple transfer", "-o json apple transfer"])
    func aNounOfTwoWordsShowsItsVerbs(_ line: String) async {
        let run = await Run(line)
        #expect(run.status == .usage && run.out.isEmpty)
        #expect(run.err.contains("apple transfer export  ") && run.err.contains("apple transfer import  "))
    }

    @Test func aTenantHasDefaults() async throws {
        let services = FakeServices()
        let run = await Run("tenant create chillin --guest", services: services)
        let draft = try #require(services.drafts.first)
        #expect(draft.name.text == "chillin")
        #expect(draft.timeZone == "UTC")
        #expect(draft.isGuestServed)
        #expect(run.err.contains("every device without a token sees and prints the same drawings"))
    }

    @Test func aClientIsApplesUnlessSaid() async throws {
        let services = FakeServices()
        _ = await Run("client add chillin --client-id a.b --client-id=c.d", services: services)
        let draft = try #require(services.providerDrafts.first)
        #expect(draft.clientIDs.map(\.text) == ["a.b", "c.d"])
        #expect(draft.issuers == ["https://appleid.apple.com", "https://account.apple.com"])
        #expect(draft.keysURL == "https://appleid.apple.com/auth/keys")
        #expect(draft.algorithms == [.es256, .rs256])
        #expect(draft.noncePolicy == .server)
        #expect(draft.privateEndpoint == nil)
        #expect(!draft.isDevelopment)
    }

    @Test func aDevelopmentClientIsAllItWasTold() async throws {
        let services = FakeServices()
        let flags =
            "--issuer http://127.0.0.1:1 --jwks-url http://127.0.0.1:1/k --allow-private 127.0.0.1:1 --development"
        let more = "--nonce-policy optional --algorithms ES256"
        let run = await Run("client add chillin --client-id d \(flags) \(more)", services: services)
        #expect(run.status == .success)
        let draft = try #require(services.providerDrafts.first)
        #expect(draft.issuers == ["http://127.0.0.1:1"])
        #expect(draft.keysURL == "http://127.0.0.1:1/k")
        #expect(draft.privateEndpoint?.text == "127.0.0.1:1")
        #expect(draft.algorithms == [.es256])
        #expect(draft.noncePolicy == .optional)
        #expect(draft.isDevelopment)
    }

    @Test(arguments: [
        ("tenant suspend chillin", "suspended chillin"), ("tenant resume chillin", "active chillin"),
        ("tenant update chillin --sessions-max 3", "settings of chillin"),
        ("tenant update chillin --guest on --guest-prints 100", "guest on 100 of chillin"),
        ("image move --to s3 --confirm=s3", "images of all to s3"),
        ("key rotate chillin", "rotate chillin waiting untilSeen"),
        ("key rotate chillin --now", "rotate chillin waiting not"),
        ("key revoke chillin --confirm=chillin k", "revoke k of chillin"), ("key reseal", "reseal all"),
        ("session list chillin", "sessions of chillin user 0 ended false at most 50"),
        ("session list chillin --user 7 --ended --limit 3", "sessions of chillin user 7 ended true at most 3"),
        ("session revoke chillin --session 7", "end session 7 of chillin"),
        ("session revoke chillin --user 7", "end sessions of user 7 of chillin"),
        ("limit set chillin user print 5", "limit user print 5 in 60 s of chillin"),
        ("limit set chillin all read 5 --per 3600", "limit all read 5 in 3600 s of chillin"),
        ("limit unset chillin all all", "no limit all all of chillin"), ("limit list chillin", "limits of chillin"),
        ("quota set chillin drawings 5 --window day", "set drawings tenant day 5 of chillin"),
        ("quota set chillin sessions_per_user 5", "set sessions_per_user user none 5 of chillin"),
        ("quota unset chillin print_jobs --scope printer --window hour", "unset print_jobs printer hour of chillin"),
        ("quota recount", "recount all"), ("quota recount --tenant chillin --check", "recount chillin only"),
        ("plan set basic drawings 5 --scope user", "set drawings user none 5 of plan basic"),
        ("plan assign chillin none", "no plan for chillin"), ("plan assign chillin basic", "plan basic for chillin"),
        ("printer remove chillin -- --office", "remove printer --office from chillin"),
        ("client remove chillin --client-id=--x --confirm=chillin", "remove --x from chillin"),
        ("client check chillin --client-id a.b", "check a.b of chillin"),
        ("apple transfer import chillin --client-id a --move-now", "import nothing to chillin now"),
    ])
    func asksForWhatWasSaid(_ line: String, _ question: String) async {
        let services = FakeServices()
        _ = await Run(line, services: services)
        #expect(services.asked.first == question)
    }

    @Test func sessionsLiveAsTheyAreSet() async throws {
        let services = FakeServices()
        _ = await Run(
            "tenant update chillin --session-idle 90m --session-absolute 2d --sessions-max 10",
            services: services
        )
        _ = await Run("tenant update chillin --sessions-max none --time-zone Asia/Seoul", services: services)
        #expect(
            services.tenantDrafts == [
                TenantSettingsDraft(
                    idle: Lifetime(seconds: 5_400),
                    absolute: Lifetime(seconds: 172_800),
                    countMax: .count(10)
                ),
                TenantSettingsDraft(countMax: .some(.none), timeZone: "Asia/Seoul"),
            ]
        )
        #expect([5_400, 172_800, 59, 3_600].map { Lifetime(seconds: $0).text } == ["90m", "2d", "59s", "1h"])
    }

    @Test(arguments: [
        (KeyRotation.Step.published, "Published. Run this again in five minutes"),
        (.waiting(until: "2026-11-30T06:05:00Z"), "run this again after 2026-11-30T06:05:00Z"),
        (.activated, "It signs within two seconds."),
    ])
    func aRotationSaysWhatComesNext(_ step: KeyRotation.Step, _ said: String) async {
        let services = FakeServices()
        services.rotationStep = step
        let run = await Run("key rotate chillin", services: services)
        #expect(run.out.contains("key-1") && run.err.contains(said), "\(run.err)")
    }

    /// Whoever goes by the status never throws a key away that is still needed.
    @Test func aResealThatLeftSomethingFails() async {
        let services = FakeServices()
        #expect(await Run("key reseal", services: services).status == .success)
        services.unreadable = 3
        let run = await Run("key reseal", services: services)
        #expect(run.status == .failed && run.out.isEmpty && run.err.contains("3 of chillin"), "\(run.err)")
    }

    @Test func aResealTellsOfWhatIsNotSealedAnew() async {
        let services = FakeServices()
        #expect(await !Run("key reseal", services: services).err.contains("Keep the old line"))
        services.shortLived = 3
        let run = await Run("key reseal", services: services)
        #expect(run.status == .success && run.err.contains("sealed under it still (3)"), "\(run.err)")
    }

    @Test func whatWasNothingToEndSaysSo() async {
        let services = FakeServices()
        services.endedCount = 0
        services.wasRevokedBefore = true
        #expect(await Run("session revoke chillin --user 7", services: services).err.contains("nothing to end"))
        #expect(
            await Run("key revoke chillin --confirm=chillin key-1", services: services).err
                .hasSuffix("It was revoked before.\nkey-2 signs.\n")
        )
    }

    @Test func aRunThatChangesNothingSaysSo() async {
        let services = FakeServices()
        services.steps = [MigrationStep(name: "m0001_core", outcome: .present)]
        let run = await Run("migrate", services: services)
        #expect(run.out == "STEP        OUTCOME\nm0001_core  present\n")
        #expect(run.err == "The schema was up to date.\n")
    }
}
