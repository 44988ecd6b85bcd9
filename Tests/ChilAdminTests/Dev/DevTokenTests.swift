import Foundation
import Testing

@testable import ChilAdmin

@Suite struct DevTokenTests {
    private static let line = "dev token --keys k --issuer http://i --client-id a.b --subject ann"

    private func claims(_ flags: [String]) async throws -> [String: Any] {
        let run = await Run(Self.line.split(separator: " ").map(String.init) + flags)
        #expect(run.status == .success, "\(run.err)")
        return try #require(try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any])
    }

    @Test func claimsAreApples() async throws {
        let claims = try await claims(["--nonce", "n", "--email", "ann@example.com"])
        #expect(claims["iss"] as? String == "http://i")
        #expect(claims["aud"] as? String == "a.b")
        #expect(claims["sub"] as? String == "ann")
        #expect(claims["iat"] as? Int == 1_796_000_000)
        #expect(claims["exp"] as? Int == 1_796_000_600)
        #expect(claims["nonce"] as? String == "n")
        #expect(claims["email"] as? String == "ann@example.com")
        #expect(claims["email_verified"] as? Bool == true)
        #expect((claims["jti"] as? String)?.isEmpty == false)
    }

    @Test func timesAreParameters() async throws {
        let claims = try await claims(["--issued-at", "1000", "--expires-in", "-5"])
        #expect(claims["iat"] as? Int == 1_000)
        #expect(claims["exp"] as? Int == 995)
    }

    @Test func extraClaimsReplaceAndKeepTheirType() async throws {
        let claims = try await claims([
            "--claim", "aud=other", "--claim", "is_private_email=true", "--claim", "n=7", "--claim", "text=a=b\"c",
            "--claim", "list=[1,\"x\"]", "--claim", "quoted=\"1\"", "--claim", "twice={\"a\":1,\"a\":2}",
            "--claim", "sub=bob", "--claim", "jti=1",
        ])
        #expect(claims["aud"] as? String == "other")
        #expect(claims["is_private_email"] as? Bool == true)
        #expect(claims["n"] as? Int == 7)
        #expect(claims["text"] as? String == "a=b\"c")
        #expect((claims["list"] as? [Any])?.count == 2)
        #expect(claims["quoted"] as? String == "1")
        #expect(claims["twice"] as? String == #"{"a":1,"a":2}"#)
        #expect(claims["sub"] as? String == "bob")
        #expect(claims["jti"] as? Int == 1)
    }

    @Test(arguments: [1, 2_048, 5_000])
    func manyAreDistinctAndInOrder(_ count: Int) async throws {
        let services = FakeServices()
        let run = await Run("\(Self.line) --count \(count) --out f", services: services)
        #expect(run.status == .success)
        #expect(run.out.isEmpty)
        #expect(run.err == "\(count) tokens in f.\n")
        let lines = try #require(services.files["f"]).text.split(separator: "\n")
        #expect(services.files["f"]?.isPlaced == true)
        #expect(lines.count == count)
        #expect(Set(lines).count == count)
        #expect(lines.first?.contains(#""sub":"ann-1""#) == true)
        #expect(lines.last?.contains(#""sub":"ann-\#(count)""#) == true)
    }

    @Test func subjectsTakeTurns() async throws {
        let services = FakeServices()
        let run = await Run("\(Self.line) --count 5 --subjects 2 --out f", services: services)
        #expect(run.status == .success)
        let lines = try #require(services.files["f"]).text.split(separator: "\n")
        #expect(Set(lines).count == 5)
        #expect(lines.map { $0.contains(#""sub":"ann-1""#) } == [true, false, true, false, true])
    }

    @Test(arguments: ["--subjects 2", "--count 5 --subjects 0 --out f"])
    func subjectsNeedABatch(_ flags: String) async {
        let run = await Run("\(Self.line) \(flags)")
        #expect(run.status == .usage)
    }
}
