import ChilCore
import ChilCrypto
import ChilTestSupport
import Testing

@testable import ChilAuth

struct RefreshTokenTests {
    static let line1 = "1:" + String(repeating: "11", count: 32)
    static let line2 = "2:" + String(repeating: "22", count: 32)
    static let salt = [UInt8](repeating: 0xA5, count: 16)
    static let tenant = TenantID(rawValue: 1_234_567_890_123)
    static let session = SessionID(rawValue: 9_007_199_254_740_991)

    static func minter(_ lines: String...) throws -> RefreshTokenMinter {
        RefreshTokenMinter(try KeyRing(parsing: Array(lines.joined(separator: "\n").utf8)))
    }

    static func token(_ minter: RefreshTokenMinter, counter: UInt32 = 7) -> RefreshToken {
        minter.token(tenant: tenant, session: session, counter: counter, salt: salt)
    }

    @Test
    func tokensGoRound() throws {
        let minter = try Self.minter(Self.line1)
        let token = Self.token(minter, counter: .max)
        #expect(token.text.utf8.count == RefreshToken.textLength)
        #expect(token.text.hasPrefix("chl_rt_"))
        let read = try #require(RefreshToken(parsing: token.text))
        #expect(read == token)
        #expect(read.tenant == Self.tenant && read.session == Self.session && read.counter == .max && read.version == 1)
        #expect(minter.isGenuine(read, salt: Self.salt))
        #expect(Self.token(minter, counter: .max).text == token.text)
        #expect(!"\(token)".contains("chl_rt_"))
    }

    /// A million in the catalogue (CHIL_TEST_ROUNDS): in a debugging build so many take minutes, and a fiftieth shows nearly the same.
    @Test("T-01 refresh tokens of many sessions: no two alike, each one reads, and their codes are evenly spread")
    func manyTokens() throws {
        let minter = try Self.minter(Self.line1)
        let count = Rounds.count(otherwise: 20_000)
        var codes: Set<[UInt8]> = []
        var tally = [[Int]](repeating: [Int](repeating: 0, count: 256), count: RefreshToken.codeBytes)
        for number in 1...count {
            let salt = try SecureRandom.bytes(RefreshTokenMinter.saltBytes)
            let token = minter.token(
                tenant: Self.tenant,
                session: SessionID(rawValue: Int64(number)),
                counter: 1,
                salt: salt
            )
            let text = token.text
            if number.isMultiple(of: 16) {
                let read = try #require(RefreshToken(parsing: text))
                #expect(read == token && minter.isGenuine(read, salt: salt))
            }
            codes.insert(token.code)
            for (place, byte) in token.code.enumerated() { tally[place][Int(byte)] += 1 }
        }
        #expect(codes.count == count)
        // What nobody can guess is the code: 128 bits, from a key of 256 and a salt of 128.
        #expect(RefreshToken.codeBytes == 16 && RefreshTokenMinter.saltBytes == 16 && KeyRing.masterKeyBytes == 32)
        // Chi-square with 255 degrees of freedom is over 375 once in a million times.
        let expected = Double(count) / 256
        for bytes in tally {
            let chiSquare = bytes.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
            #expect((150.0...375.0).contains(chiSquare), "\(chiSquare)")
        }
    }

    @Test("T-02 every flipped bit is dropped before the database")
    func everyFlippedBitIsDroppedBeforeTheDatabase() throws {
        let text = Array(Self.token(try Self.minter(Self.line1)).text.utf8)
        for index in text.indices {
            for bit in 0..<8 {
                var changed = text
                changed[index] ^= 1 << UInt8(bit)
                #expect(changed.withUnsafeBytes { RefreshToken(parsing: $0) } == nil, "bit \(bit) of byte \(index)")
            }
        }
        for count in 0..<text.count {
            #expect(text[..<count].withUnsafeBytes { RefreshToken(parsing: $0) } == nil)
        }
        #expect(RefreshToken(parsing: String(decoding: text, as: UTF8.self) + "A") == nil)
        #expect(RefreshToken(parsing: "") == nil)
    }

    /// The checksum has no key, so a forger makes it right: the code must not agree.
    @Test
    func forgedPartsAreNotGenuine() throws {
        let minter = try Self.minter(Self.line1)
        let bytes = try #require(Base64URL.decode(String(Self.token(minter).text.dropFirst(7))))
        for index in 1..<bytes.count - 4 {
            for bit in 0..<8 {
                var forged = Array(bytes.dropLast(4))
                forged[index] ^= 1 << UInt8(bit)
                let text = "chl_rt_" + Base64URL.text(of: forged + SHA256.digest(of: forged).bytes.prefix(4))
                guard let token = RefreshToken(parsing: text) else {
                    // A number that went negative: refused for its form.
                    #expect(bit == 7 && (index == 1 || index == 9))
                    continue
                }
                #expect(!minter.isGenuine(token, salt: Self.salt), "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test
    func otherSaltTenantSessionCounterAndKeyDiffer() throws {
        let minter = try Self.minter(Self.line1)
        let token = Self.token(minter)
        #expect(!minter.isGenuine(token, salt: [UInt8](repeating: 0, count: 16)))
        #expect(!minter.isGenuine(token, salt: []))
        let others = [
            minter.token(tenant: TenantID(rawValue: 1), session: Self.session, counter: 7, salt: Self.salt),
            minter.token(tenant: Self.tenant, session: SessionID(rawValue: 1), counter: 7, salt: Self.salt),
            minter.token(tenant: Self.tenant, session: Self.session, counter: 8, salt: Self.salt),
            try Self.minter("1:" + String(repeating: "33", count: 32))
                .token(tenant: Self.tenant, session: Self.session, counter: 7, salt: Self.salt),
        ]
        #expect(Set(([token] + others).map { String($0.text.suffix(27)) }).count == 5)
    }

    @Test("T-17 older versions are read while the ring has them")
    func olderVersionsAreReadWhileTheRingHasThem() throws {
        let old = Self.token(try Self.minter(Self.line1))
        let both = try Self.minter(Self.line1, Self.line2)
        #expect(both.isGenuine(old, salt: Self.salt))
        #expect(Self.token(both).version == 2)
        #expect(try !Self.minter(Self.line2).isGenuine(old, salt: Self.salt))
    }
}
