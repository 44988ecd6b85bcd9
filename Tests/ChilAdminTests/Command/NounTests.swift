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
        Row("client remove chillin --client-id a --client-id b", "--client-id is given twice"),
        Row("quota set chillin drawings", "LIMIT is missing"),
        Row("quota set chillin drawing 5", "METRIC: 'drawing' is not one of"),
        Row("quota set chillin drawings -5", "unknown flag '-5'"),
        Row("quota set chillin drawings -- -5", "LIMIT: '-5' is not a whole number from 0 to"),
        Row(
            "quota set chillin drawings 5 --window week",
            "--window: 'week' is not one of none, minute, hour, day, month"
        ),
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
        ("quota set chillin drawings 5 --window day", "set drawings 5 day of chillin"),
        ("printer remove chillin -- --office", "remove printer --office from chillin"),
        ("client remove chillin --client-id=--x", "remove --x from chillin"),
    ])
    func asksForWhatWasSaid(_ line: String, _ question: String) async {
        let services = FakeServices()
        _ = await Run(line, services: services)
        #expect(services.asked.first == question)
    }

    @Test func aRunThatChangesNothingSaysSo() async {
        let services = FakeServices()
        services.steps = [MigrationStep(name: "m0001_core", outcome: .present)]
        let run = await Run("migrate", services: services)
        #expect(run.out == "STEP        OUTCOME\nm0001_core  present\n")
        #expect(run.err == "The schema was up to date.\n")
    }
}
