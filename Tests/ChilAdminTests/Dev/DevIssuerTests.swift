import ChilCrypto
import ChilDevIssuer
import Foundation
import Testing

@testable import ChilAdmin

@Suite struct DevIssuerTests {
    private static let line = "dev issuer --keys k --listen 127.0.0.1:8082"

    private func draft(_ flags: String) async throws -> IssuerDraft {
        let services = FakeServices()
        let run = await Run("\(Self.line) \(flags)", services: services)
        #expect(run.status == .success, "\(run.err)")
        return try #require(services.issuerDrafts.first)
    }

    @Test func itIsCalledByItsAddress() async throws {
        let draft = try await draft("")
        #expect(draft.issuerText == "http://127.0.0.1:8082")
        #expect(draft.algorithm == .es256)
        #expect(!draft.isInContainer)
        #expect(draft.redirects.isEmpty)
    }

    @Test func everythingCanBeSaid() async throws {
        let draft = try await draft(
            "--issuer https://appleid.test --other-issuer https://account.test --alg RS256 --client app.one "
                + "--client app.web=https://a.test/back --client app.web=https://b.test/back --team-key T:K:some:file.p8 "
                + "--quirk string-booleans --quirk other-issuer --rotate-every 60 --in-container"
        )
        #expect(draft.issuerText == "https://appleid.test")
        #expect(draft.otherIssuer?.text == "https://account.test")
        #expect(draft.algorithm == .rs256)
        #expect(draft.redirects == ["app.one": [], "app.web": ["https://a.test/back", "https://b.test/back"]])
        #expect(draft.teamKeys.map(\.path) == ["some:file.p8"])
        #expect(draft.quirks == [.stringBooleans, .otherIssuer])
        #expect(draft.rotation == Seconds(60))
        #expect(draft.isInContainer)
    }

    @Test(arguments: [
        "--rotate-every 0", "--rotate-every -1", "--quirk unknown", "--quirk other-issuer", "--team-key T:K",
        "--team-key T::f",
        "--client =https://a.test/", "--client a=javascript:x", "--alg none",
    ])
    func nonsenseIsRefused(_ flags: String) async {
        let services = FakeServices()
        let run = await Run("\(Self.line) \(flags)", services: services)
        #expect(run.status == .usage)
        #expect(services.issuerDrafts.isEmpty)
    }

    /// Whoever reaches it could sign in as anybody.
    @Test(arguments: ["0.0.0.0:8082", "[::]:8082", "192.0.2.1:8082"])
    func othersCannotReachIt(_ listen: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-issuer-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let console = RecordingConsole()
        let run = await Run(
            ["dev", "issuer", "--keys", folder, "--listen", listen],
            console: console,
            environment: [:]
        ) { LiveServices(settings: $0, talk: console.talk) }
        #expect(run.status == .usage)
        #expect(run.err.contains("is not this machine alone"))
    }

    @Test func theTeamsKeyIsMadeOnceAndForItsOwnerAlone() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-issuer-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try DevelopmentTeam.team(in: folder)
        let second = try DevelopmentTeam.team(in: folder)
        #expect(first.publicKey.x == second.publicKey.x)
        #expect(first.teamID == "DEVTEAM001")
        let path = folder + "/AuthKey_DEVKEY0001.p8"
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let named = try #require(TeamKey(argument: "TEAM:KEY:\(path)"))
        #expect(try DevelopmentTeam.team(named).publicKey.x == first.publicKey.x)
        let missing = try #require(TeamKey(argument: "TEAM:KEY:\(folder)/none"))
        do {
            _ = try DevelopmentTeam.team(missing)
            Issue.record("a key out of nothing")
        } catch {
            #expect(error.status == .notFound)
        }
    }
}
