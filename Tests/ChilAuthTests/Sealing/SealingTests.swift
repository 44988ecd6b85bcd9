import ChilAuth
import ChilCore
import ChilCrypto
import ChilTestSupport
import Testing

struct SealingTests {
    static let key = String(repeating: "0f", count: 32)
    static let tenant = TenantID(rawValue: 5)

    static func ring(_ text: String) throws -> KeyRing { try KeyRing(parsing: Array(text.utf8)) }

    @Test(arguments: [
        ("one", "1:\(key)", 1), ("with comments", "# master keys\n\n  7:\(key)  \r\n# old\n3:\(key)\n", 7),
        ("highest", "255:\(key)\n1:\(key)", 255),
    ])
    func keyFilesAreRead(_ name: String, _ text: String, _ current: UInt8) throws {
        let ring = try Self.ring(text)
        #expect(ring.currentVersion == current)
        #expect(ring.subkey(.url, version: current) == ring.currentSubkey(.url))
        #expect(ring.subkey(.url, version: 200) == nil)
        let subkeys = Set(KeyRing.Purpose.allCases.map { ring.currentSubkey($0).copy() })
        #expect(subkeys.count == KeyRing.Purpose.allCases.count)
        #expect(!"\(ring)".contains("0f0f"))
    }

    @Test(arguments: [
        ("empty", "", KeyRing.Fault.noKeys), ("only comments", "# 1:\(key)\n", .noKeys),
        ("no version", ":\(key)", .malformedLine(1)),
        ("version 0", "0:\(key)", .malformedLine(1)), ("version 256", "1:\(key)\n256:\(key)", .malformedLine(2)),
        ("signed version", "+1:\(key)", .malformedLine(1)), ("short", "1:\(key.dropLast(2))", .malformedLine(1)),
        ("long", "1:\(key)00", .malformedLine(1)), ("upper case", "1:\(key.uppercased())", .malformedLine(1)),
        ("space inside", "1: \(key)", .malformedLine(1)), ("bare key", key, .malformedLine(1)),
        ("twice", "1:\(key)\n1:\(key)", .repeatedVersion(1)), ("comment behind", "1:\(key) # mine", .malformedLine(1)),
    ])
    func damagedKeyFilesAreRefused(_ name: String, _ text: String, _ fault: KeyRing.Fault) {
        #expect(throws: fault, "\(name)") { try Self.ring(text) }
        #expect(!fault.description.contains(Self.key))
    }

    @Test("K-02 sealed values open where they belong, and nowhere else")
    func sealedValuesOpenWhereTheyBelong() throws {
        let sealer = Sealer(try Self.ring("1:\(Self.key)"))
        let secret = SecretBytes(copying: Array("a private key".utf8))
        let sealed = try sealer.seal(secret, tenant: Self.tenant, column: "tenant_key.private")
        #expect(sealed.count == 1 + 12 + secret.count + 16)
        #expect(try sealer.open(sealed, tenant: Self.tenant, column: "tenant_key.private") == secret)
        #expect(try sealer.open(sealed, tenant: TenantID(rawValue: 6), column: "tenant_key.private") == nil)
        #expect(try sealer.open(sealed, tenant: Self.tenant, column: "printer.secret") == nil)
        #expect(try sealer.seal(secret, tenant: Self.tenant, column: "tenant_key.private") != sealed)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 0x01
            #expect(try sealer.open(changed, tenant: Self.tenant, column: "tenant_key.private") == nil, "byte \(index)")
        }
        for count in 0..<sealed.count {
            #expect(try sealer.open(Array(sealed[..<count]), tenant: Self.tenant, column: "tenant_key.private") == nil)
        }
    }

    /// A million in the catalogue (CHIL_TEST_ROUNDS). The IVs are drawn by the library from 2⁹⁶; what this would find is one that is kept or cut.
    @Test("K-04 no IV comes twice")
    func noIVComesTwice() throws {
        let sealer = Sealer(try Self.ring("1:\(Self.key)"))
        let secret = SecretBytes(copying: [1])
        let count = Rounds.count(otherwise: 20_000)
        var seen: Set<[UInt8]> = []
        for _ in 0..<count { seen.insert(Array(try sealer.seal(secret, tenant: Self.tenant, column: "c")[1..<13])) }
        #expect(seen.count == count)
        // Not only all of it: neither half comes twice oftener than chance has it (count² / 2⁴⁹).
        for half in [0..<6, 6..<12] { #expect(Set(seen.map { Array($0[half]) }).count >= count - 2) }
    }

    @Test("K-06 new versions seal and old ones open")
    func newVersionsSealAndOldOnesOpen() throws {
        let old = Sealer(try Self.ring("1:\(Self.key)"))
        let new = Sealer(try Self.ring("1:\(Self.key)\n2:\(String(repeating: "ab", count: 32))"))
        let secret = SecretBytes(copying: [])
        let sealed = try old.seal(secret, tenant: Self.tenant, column: "c")
        #expect(try new.open(sealed, tenant: Self.tenant, column: "c") == secret)
        let resealed = try new.seal(secret, tenant: Self.tenant, column: "c")
        #expect(resealed.first == 2)
        #expect(try old.open(resealed, tenant: Self.tenant, column: "c") == nil)
    }
}
