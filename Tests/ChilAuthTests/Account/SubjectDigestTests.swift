import ChilCore
import Testing

@testable import ChilAuth

/// What an ended account is known by. That PostgreSQL makes the same of it: `CodeExchangeTests`, `ProofTimeTests`.
@Suite struct SubjectDigestTests {
    private static let tenant = TenantID(rawValue: 1), provider = ProviderID(rawValue: 2)

    private static func digests(_ versions: Int...) throws -> SubjectDigests {
        let lines = versions.map { "\($0):\(String(repeating: "\($0)a", count: 32))\n" }
        return SubjectDigests(try KeyRing(parsing: Array(lines.joined().utf8)))
    }

    @Test func eachKeyHasItsOwn() throws {
        let one = try Self.digests(1).all(of: "person", from: Self.provider, in: Self.tenant)
        let two = try Self.digests(2).all(of: "person", from: Self.provider, in: Self.tenant)
        let both = try Self.digests(1, 2)
        #expect(one.count == 32 && two.count == 32 && one != two)
        #expect(both.all(of: "person", from: Self.provider, in: Self.tenant) == two + one)
        #expect(try both.pepper == Self.digests(2).pepper && both.pepper.count == 32)
    }

    @Test(
        arguments: [
            ("the same", "person", 2, 1, true), ("another person", "persoN", 2, 1, false), ("nobody", "", 2, 1, false),
            ("another provider", "person", 3, 1, false), ("another tenant", "person", 2, 3, false),
            ("the numbers run together", " person", 2, 1, false),
        ] as [(String, String, Int64, Int64, Bool)]
    )
    func aDigestIsOfOnePerson(_ row: (name: String, subject: String, provider: Int64, tenant: Int64, is: Bool)) throws {
        let digests = try Self.digests(1, 2)
        let all = digests.all(of: "person", from: Self.provider, in: Self.tenant)
        let (provider, tenant) = (ProviderID(rawValue: row.provider), TenantID(rawValue: row.tenant))
        for digest in [all.prefix(32), all.suffix(32)].map(Array.init) {
            #expect(digests.isDigest(digest, of: row.subject, from: provider, in: tenant) == row.is, "\(row.name)")
        }
        #expect(!digests.isDigest([], of: row.subject, from: provider, in: tenant))
        #expect(!digests.isDigest(Array(all.dropFirst(16).prefix(32)), of: row.subject, from: provider, in: tenant))
    }
}
