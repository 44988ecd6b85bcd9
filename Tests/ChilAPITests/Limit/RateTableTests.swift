import ChilAuth
import ChilCore
import ChilCrypto
import ChilLoop
import ChilStore
import Testing

@testable import ChilAPI

@Suite struct RateTableTests {
    private static let second: Int64 = 1_000_000_000
    private static let share = RateShare(loops: 1)
    private static let rule = RateRule(quota: 40, window: 3_600)
    private static let keys = RateKeys((0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908))

    /// What openssl(1) makes of the same: `openssl mac -macopt hexkey:0001…0f -macopt size:16 SIPHASH` of the bytes 00 to 1f.
    @Test func keysAreSipHashes() {
        let key = Self.keys.digest(
            0x0706_0504_0302_0100,
            0x0f0e_0d0c_0b0a_0908,
            0x1716_1514_1312_1110,
            0x1f1e_1d1c_1b1a_1918
        )
        let bytes = [key.first, key.second].flatMap { withUnsafeBytes(of: $0.littleEndian) { Array($0) } }
        #expect(Hex.text(of: bytes) == "7c3956ca5eeafc3e363e9d556546eb68")
    }

    @Test func everybodyHasAKeyOfTheirOwn() throws {
        let one = TenantID(rawValue: 1), two = TenantID(rawValue: 2)
        let home = try #require(NetworkAddress("192.0.2.1")), other = try #require(NetworkAddress("192.0.2.2"))
        // The first address of a /48 is in the /64 with the same bits.
        let first = try #require(NetworkAddress("2001:db8:1::"))
        var all: [RateKey] = []
        for tenant in [one, two] {
            all.append(Self.keys.viewers(of: UserID(rawValue: 7), in: tenant))
            for provider in [1, 2] as [Int64] {
                for subject in ["7", "8"] {
                    all.append(Self.keys.person(subject, of: ProviderID(rawValue: provider), in: tenant))
                }
            }
            for address in [home, first] {
                let prints = Self.keys.guestPrints(from: address, of: tenant)
                all.append(prints.own)
                #expect((prints.site == nil) == address.isIPv4)
                prints.site.map { all.append($0) }
            }
        }
        for kind in RateClass.allCases {
            for tenant in [one, two] {
                all += [Self.keys.address(home, of: tenant, kind), Self.keys.address(other, of: tenant, kind)]
                all.append(Self.keys.tenant(tenant, kind))
                all.append(Self.keys.tenant(tenant, kind, isForAnybody: true))
                all += [
                    Self.keys.address(first, of: tenant, kind), try #require(Self.keys.site(first, of: tenant, kind)),
                ]
                // The same number as a user of both.
                all.append(Self.keys.user(UserID(rawValue: 7), of: tenant, kind))
            }
            all.append(Self.keys.address(home, of: nil, kind))
            all += [Self.keys.address(first, of: nil, kind), try #require(Self.keys.site(first, of: nil, kind))]
        }
        #expect(Set(all).count == all.count)
    }

    /// Rows of addresses and whether they count as one.
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1", "::ffff:192.0.2.1", true),
        ("2001:db8::1", "2001:db8::2", true), ("2001:db8::1", "2001:db8:0:0:ffff::1", true),
        ("2001:db8::1", "2001:db8:0:1::1", false), ("::1", "::2", true), ("::1", "0.0.0.1", false),
        ("::ffff:0:1", "::1", false),
    ])
    func aSubscriberIsOne(_ one: String, _ other: String, _ isOne: Bool) throws {
        let tenant = TenantID(rawValue: 1)
        let keys = try [one, other].map { Self.keys.address(try #require(NetworkAddress($0)), of: tenant, .read) }
        #expect((keys[0] == keys[1]) == isOne)
    }

    @Test func aSiteIsA48() throws {
        let sites = try ["2001:db8:1:2::3", "2001:db8:1:ffff::", "2001:db8:2::3"].map {
            Self.keys.site(try #require(NetworkAddress($0)), of: nil, .read)
        }
        #expect(sites[0] != nil && sites[0] == sites[1] && sites[0] != sites[2])
        #expect(Self.keys.site(try #require(NetworkAddress("192.0.2.1")), of: nil, .read) == nil)
        #expect(RateRule(quota: 600, window: 60).ofSite == RateRule(quota: 9_600, window: 60))
        #expect(RateRule(quota: 1_000_000_000, window: 60).ofSite.quota == 1_000_000_000)
    }

    @Test("R-MM2 a million addresses take no more room than the table has, and push nobody out who is over")
    func aMillionAddressesFillNothingElse() {
        let table = RateTable(capacity: RateLimiter.addressesMax), users = RateTable(capacity: RateLimiter.usersMax)
        var now = Self.second
        let user = Self.keys.user(UserID(rawValue: 7), of: TenantID(rawValue: 1), .read)
        func isRefused(_ table: RateTable, _ key: RateKey) -> Bool {
            let bucket = table.bucket(key, Self.rule, Self.share, at: now)
            while true {
                switch bucket.pointee.take(Self.rule, Self.share, at: now) {
                case .admitted: continue
                case .mustAsk: return false
                case .refused: return true
                }
            }
        }
        let over = (0..<100).map {
            Self.keys.address(NetworkAddress(high: UInt64($0 + 1) << 40, low: 0), of: nil, .auth)
        }
        for (table, key) in over.map({ (table, $0) }) + [(users, user)] {
            #expect(!isRefused(table, key))
            table.bucket(key, Self.rule, Self.share, at: now).pointee.granted(0, balance: -30, Self.rule, at: now)
            #expect(isRefused(table, key))
        }
        for number in 0..<1_000_000 {
            now += 1_000_000
            let key = Self.keys.address(NetworkAddress(high: UInt64(number) + 2, low: 0), of: nil, .auth)
            _ = table.bucket(key, Self.rule, Self.share, at: now).pointee.take(Self.rule, Self.share, at: now)
        }
        #expect(table.count == RateLimiter.addressesMax)
        for key in over { #expect(isRefused(table, key)) }
        #expect(isRefused(users, user))
        #expect(users.count == 1)
    }

    /// Everybody is over: whoever may come again first makes room.
    @Test func theTableNeverGrows() {
        let table = RateTable(capacity: 16)
        for number in 0..<1_000 {
            let key = Self.keys.digest(UInt64(number), 0, 0, 0)
            let bucket = table.bucket(key, Self.rule, Self.share, at: Self.second)
            bucket.pointee.granted(0, balance: Double(-number % 40), Self.rule, at: Self.second)
        }
        #expect(table.count <= 16)
        #expect(MemoryLayout<RateBucket>.stride == 64)
    }

    /// The part that is not known: nobody signs in, all else goes on with what a loop may give alone.
    @Test func withoutADatabaseSigningInIsClosed() async throws {
        let thread = try LoopThread()
        let loop = thread.loop
        let verdicts: [String] = await withCheckedContinuation { continuation in
            loop.post {
                let database = DatabaseProbe.closed(on: loop)
                let limiter = RateLimiter(Self.keys, on: loop, database, loopsOfProcess: 2)
                let key = Self.keys.digest(1, 2, 3, 4)
                var verdicts: [String] = []
                func note(_ verdict: RateLimiter.Verdict?) {
                    switch verdict {
                    case .admitted: verdicts.append("admitted")
                    case .refused(let wait): verdicts.append("refused \(wait)")
                    case .unknown: verdicts.append("unknown")
                    case nil: verdicts.append("asks")
                    }
                }
                note(limiter.takeNow(.address, key, Self.rule, isClosedUnshared: true))
                for _ in 0..<21 { note(limiter.takeNow(.address, key, Self.rule)) }
                continuation.resume(returning: verdicts)
            }
        }
        loop.stop()
        thread.join()
        // Half of forty; the next after 3,600 s / 20.
        #expect(verdicts == ["unknown"] + Array(repeating: "admitted", count: 20) + ["refused 180"])
    }
}
