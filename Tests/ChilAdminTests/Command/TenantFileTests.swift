import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// Files that somebody else wrote: what is refused, where, and that nothing is begun.
@Suite struct TenantFileTests {
    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static let refused: [(name: String, text: String, said: String)] = [
        ("nothing", "", "is no JSON"), ("a list", "[]", "is not an object"), ("a number", "7", "is not an object"),
        ("two values", #"{"slug": "chillin"} {}"#, "is no JSON"), ("a comment", "{/**/}", "is no JSON"),
        ("a mark at its beginning", "\u{FEFF}{\"slug\": \"chillin\"}", "is no JSON"),
        ("ten million bytes", String(repeating: " ", count: 10_000_000) + #"{"slug": "chillin"}"#, "is no JSON"),
        ("a bomb", #"{"slug": "chillin", "quotas": \#(nested(100_000))}"#, "is no JSON"),
        ("too deep", #"{"slug": "chillin", "quotas": \#(nested(9))}"#, "is no JSON"),
        ("deep enough", #"{"slug": "chillin", "quotas": \#(nested(5))}"#, "quotas[0]: is not an object"),
        ("a member twice", #"{"slug": "chillin", "slug": "other"}"#, "is no JSON"),
        ("a member twice, below", #"{"slug": "chillin", "quotas": [{"metric": "a", "metric": "b"}]}"#, "is no JSON"),
        ("a member twice, escaped", #"{"slug": "chillin", "sl\u0075g": "other"}"#, "is no JSON"),
        (
            "a member twice, composed", "{\"slug\": \"chillin\", \"retention\": {\"é\": \"1\", \"e\u{301}\": \"2\"}}",
            "is there twice"
        ),
        ("no slug", #"{"name": "a"}"#, "slug: is missing"),
        ("a flag", #"{"slug": "--help"}"#, "slug: is not a tenant's slug"),
        ("a slug of another type", #"{"slug": 7}"#, "slug: is not a text"),
        ("no slug but null", #"{"slug": null}"#, "slug: is not a text"),
        ("unknown", #"{"slug": "chillin", "sesions": {}}"#, "sesions: is unknown; did you mean sessions?"),
        (
            "unknown, below", #"{"slug": "chillin", "quotas": [{"metric": "drawings", "limit": 1}, {"metrc": 1}]}"#,
            "quotas[1].metrc: is unknown; did you mean metric?"
        ),
        (
            "unknown, deepest",
            #"{"slug": "chillin", "clients": [{"clientId": "a", "issuers": ["https://i"], "jwksUrl": "https://i/k", "algorithms": ["ES256"], "noncePolicy": "server", "credentials": {"teamId": "T", "keyId": "K", "key": "-----BEGIN"}}]}"#,
            "clients[0].credentials.key: is unknown"
        ),
        ("a control in a name", #"{"slug": "chillin", "a\u001b[2J": 1}"#, "a␛[2J: is unknown"),
        ("a turn in a name", #"{"slug": "chillin", "a\u202eb": 1}"#, "a\u{FFFD}b: is unknown"),
        ("a long name", #"{"slug": "chillin", "\#(String(repeating: "a", count: 100_000))": 1}"#, "…: is unknown"),
        ("a NUL", #"{"slug": "chillin", "name": "a\u0000b"}"#, "name: has a NUL in it"),
        ("half a pair", #"{"slug": "chillin", "name": "\ud800"}"#, "is no JSON"),
        (
            "a text for a number", #"{"slug": "chillin", "quotas": [{"metric": "drawings", "limit": "5"}]}"#,
            "quotas[0].limit: is not a whole number"
        ),
        (
            "a fraction", #"{"slug": "chillin", "quotas": [{"metric": "drawings", "limit": 1.5}]}"#,
            "quotas[0].limit: is no whole number"
        ),
        (
            "too large", #"{"slug": "chillin", "quotas": [{"metric": "drawings", "limit": 1e400}]}"#,
            "quotas[0].limit: is no whole number"
        ),
        (
            "a flag as text", #"{"slug": "chillin", "printing": {"scale": "page", "jobMark": "on"}}"#,
            "printing.jobMark: is not true or false"
        ),
        ("a list of numbers", #"{"slug": "chillin", "consent": {"scopes": [1]}}"#, "consent.scopes[0]: is not a text"),
        ("a list for an object", #"{"slug": "chillin", "guest": []}"#, "guest: is not an object"),
        ("null for a section", #"{"slug": "chillin", "quotas": null}"#, "quotas: is not a list of objects"),
        (
            "the same twice",
            #"{"slug": "chillin", "limits": [{"scope": "user", "class": "read", "count": 1}, {"scope": "user", "class": "read", "count": 2}]}"#,
            "limits: has 'user read' twice"
        ),
        (
            "too many",
            #"{"slug": "chillin", "printers": [\#(Array(repeating: "{}", count: 2_001).joined(separator: ","))]}"#,
            "printers: has more than 2000 items"
        ),
        (
            "a word that is none",
            #"{"slug": "chillin", "generation": {"level": "easy", "recipe": "{wish}", "words": ["a", "\u0023 b"]}}"#,
            "generation.words[1]: is not a word"
        ),
        (
            "elsewhere",
            #"{"slug": "chillin", "motion": [{"url": "https://m", "field": "motion", "position": 1, "keyFile": "../../k"}]}"#,
            "motion[0].keyFile: is not the name of a file beside this one, or -"
        ),
    ]

    @Test(arguments: refused.map(\.name))
    func isRefusedAtItsPlace(_ name: String) async throws {
        let row = try #require(Self.refused.first { $0.name == name })
        let services = FakeServices()
        services.fileText = row.text
        let run = await Run("tenant apply --file chillin.json", services: services)
        #expect(run.status == .dataRefused && run.out.isEmpty, "\(run.status) \(run.err.prefix(300))")
        #expect(run.err.contains(row.said), "\(run.err.prefix(600))")
        #expect(run.err.contains("Nothing was done.") && run.err.utf8.count < 2_000)
        #expect(!run.err.unicodeScalars.contains { $0 != "\n" && CleanText.isUnsafe($0) })
        #expect(services.asked.isEmpty)
    }

    @Test func bytesThatAreNoTextAreNoJSON() {
        #expect(throws: FileFault.self) { try TenantFile(Array("{\"slug\": \"a".utf8) + [0xFF, 0x22, 0x7D]) }
    }

    @Test func whatIsLeftOutHasItsUsualValue() throws {
        let text =
            #"{"motion": [{"url": "b", "field": "motion", "position": 2}, {"url": "a", "field": "motion", "position": 1, "keyFile": "k"}, {"url": "b", "field": "motion", "position": 1}], "slug": "a"}"#
        let file = try TenantFile(Array(text.utf8))
        let items = file.sections["motion"]?.items ?? []
        #expect(TenantFile.items(of: "motion").names(items) == ["a", "b", "b #2"])
        #expect(items.map { $0["position"] } == [.number(1), .number(1), .number(2)])
        #expect(items.map { $0["hasKey"] } == [.flag(true), .flag(false), .flag(false)])
        // Written and read again it is the same.
        #expect(try TenantFile(Array(file.text.utf8)).text == file.text)
    }

    @Test func theDifferenceIsAligned() {
        let changes = [
            TenantChange(path: "name", kind: .change, before: "a", after: "나\u{1B}", lines: []),
            TenantChange(path: "printers[거실]", kind: .remove, before: "name=거실", after: "-", lines: []),
            TenantChange(path: "quotas[a]", kind: .add, before: "-", after: "limit=1", lines: []),
            TenantChange(path: "retention.audit", kind: .left, before: "90", after: "90", lines: []),
        ]
        #expect(
            TenantDifferenceText.lines(changes) == [
                "~ name             a -> 나␛", "- printers[거실]   name=거실", "+ quotas[a]        limit=1",
                "= retention.audit  90",
            ]
        )
        #expect(changes.map(\.item) == ["name", "printers[거실]", "quotas[a]", "retention.audit"])
        #expect(changes.map(\.section) == ["name", "printers", "quotas", "retention"])
    }
}
