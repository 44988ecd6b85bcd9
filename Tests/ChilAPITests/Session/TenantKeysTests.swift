import ChilAuth
import ChilCore
import ChilCrypto
import ChilStore
import Testing

@testable import ChilAPI

/// Which of a tenant's keys signs, and which verify, at which time.
@Suite struct TenantKeysTests {
    private static let now = Timestamp(seconds: 1_796_019_013)
    private static let tenant = TenantID(rawValue: 5)

    /// A key in the state it has at `now`: seconds before it.
    struct Key: Sendable {
        let id: String
        let state: TenantKeyRecord.State
        let activated: Double?
        var retired: Double?
    }

    @Test(
        arguments: [
            ("one key, new as it is", [Key(id: "a", state: .active, activated: 0)], "a", ["a"]),
            (
                "a key that waits",
                [Key(id: "a", state: .active, activated: 900), Key(id: "b", state: .next, activated: nil)], "a",
                ["a", "b"]
            ),
            (
                "a key that is active since just now leaves it to the one before",
                [
                    Key(id: "a", state: .retired, activated: 900, retired: 1.9),
                    Key(id: "b", state: .active, activated: 1.9),
                ], "a", ["a", "b"]
            ),
            (
                "until every service has heard of it",
                [
                    Key(id: "a", state: .retired, activated: 900, retired: 2),
                    Key(id: "b", state: .active, activated: 2),
                ], "b", ["a", "b"]
            ),
            (
                "of several that changed just now, the last one that all have heard of",
                [
                    Key(id: "a", state: .retired, activated: 900, retired: 2.5),
                    Key(id: "b", state: .retired, activated: 2.5, retired: 1.5),
                    Key(id: "c", state: .retired, activated: 1.5, retired: 0.5),
                    Key(id: "d", state: .active, activated: 0.5),
                ], "b", ["a", "b", "c", "d"]
            ),
            (
                "where the one before is revoked the new one signs at once",
                [
                    Key(id: "a", state: .revoked, activated: 900, retired: 0.1),
                    Key(id: "b", state: .active, activated: 0.1),
                ], "b", ["b"]
            ),
            (
                "a retired key verifies until its last token is over",
                [
                    Key(id: "a", state: .retired, activated: 900, retired: 661),
                    Key(id: "b", state: .active, activated: 661),
                ], "b", ["a", "b"]
            ),
            (
                "and no longer",
                [
                    Key(id: "a", state: .retired, activated: 900, retired: 662),
                    Key(id: "b", state: .active, activated: 662),
                ], "b", ["b"]
            ),
        ] as [(String, [Key], String, [String])]
    )
    func keysSignAndVerifyInTheirTime(_ name: String, _ keys: [Key], _ signs: String, _ verify: [String]) throws {
        let sealer = try Self.sealer()
        let records = try keys.map { key in try Self.record(key, sealer) }
        let made = try Self.made(records, sealer)
        #expect(made.issuer(at: Self.now).keyID == signs)
        for key in keys { #expect(made.verifies(key.id) == verify.contains(key.id), "\(key.id)") }
        #expect(try JWKSet(parsing: made.jwks).keys.keys.map(\.keyID) == verify)
        let token = try made.issuer(at: Self.now).issue(
            user: UserID(rawValue: 1),
            session: SessionID(rawValue: 2),
            generation: 1,
            at: Self.now
        )
        guard case .accepted(let access) = made.verifier.verdict(on: token, at: Self.now) else {
            Issue.record("its own token is rejected")
            return
        }
        #expect(access.keyID == signs)
    }

    @Test("K-02 a private key that is not its public one's, or of another tenant, is found")
    func keysThatMovedAreFound() throws {
        let sealer = try Self.sealer()
        let active = try Self.record(Key(id: "a", state: .active, activated: 900), sealer)
        let other = try Self.record(Key(id: "b", state: .active, activated: 900), sealer)
        let foreign = try Self.record(Key(id: "c", state: .active, activated: 900), sealer, of: TenantID(rawValue: 6))
        func mixed(_ sealed: [UInt8]) -> TenantKeyRecord {
            TenantKeyRecord(
                keyID: "a",
                state: .active,
                publicX: active.publicX,
                publicY: active.publicY,
                sealedPrivate: sealed,
                createdAt: active.createdAt,
                activatedAt: active.activatedAt
            )
        }
        for (sealed, fault) in [
            (other.sealedPrivate, TenantKeys.Fault.halvesDiffer), (foreign.sealedPrivate, .sealedByAnotherKey),
            ([], .sealedByAnotherKey),
        ] {
            #expect(throws: fault) { _ = try Self.made([mixed(sealed)], sealer) }
        }
        #expect(throws: TenantKeys.Fault.noActiveKey) { _ = try Self.made([], sealer) }
    }

    private static func sealer() throws -> Sealer {
        Sealer(try KeyRing(parsing: Array("1:\(String(repeating: "0f", count: 32))".utf8)))
    }

    private static func made(_ records: [TenantKeyRecord], _ sealer: Sealer) throws -> TenantKeys {
        try TenantKeys(
            records,
            of: tenant,
            issuer: "https://chil.example/chillin",
            audience: try Slug(checking: "chillin"),
            sealer: sealer,
            at: now
        )
    }

    private static func record(_ key: Key, _ sealer: Sealer, of tenant: TenantID = tenant) throws -> TenantKeyRecord {
        let made = try ES256PrivateKey()
        return TenantKeyRecord(
            keyID: key.id,
            state: key.state,
            publicX: made.publicKey.x,
            publicY: made.publicKey.y,
            sealedPrivate: try sealer.seal(try made.pkcs8(), tenant: tenant, column: TenantKeyRecord.sealedColumn),
            createdAt: now - .seconds(1_000),
            activatedAt: key.activated.map { now - .milliseconds(Int64($0 * 1_000)) },
            retiredAt: key.retired.map { now - .milliseconds(Int64($0 * 1_000)) }
        )
    }
}
