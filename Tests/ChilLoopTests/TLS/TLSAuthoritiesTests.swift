import ChilCrypto
import ChilTestSupport
import Testing

@Suite struct TLSAuthoritiesTests {
    enum Text: CaseIterable, Sendable {
        case one, two, withWordsBetween, empty, words, cutShort, altered, oneAndOneCutShort, privateKey
    }

    @Test(arguments: Text.allCases) func areTakenWholeOrNotAtAll(_ text: Text) throws {
        let one = try TestCertificates.shared().authority
        let isGood: Bool
        let pem: [UInt8]
        switch text {
        case .one: (pem, isGood) = (one, true)
        case .two: (pem, isGood) = (one + one, true)
        case .withWordsBetween: (pem, isGood) = (Array("# ours\n".utf8) + one + Array("\n# end\n".utf8), true)
        case .empty: (pem, isGood) = ([], false)
        case .words: (pem, isGood) = (Array("no certificate".utf8), false)
        case .cutShort: (pem, isGood) = (Array(one.prefix(one.count / 2)), false)
        case .altered: (pem, isGood) = (one.map { $0 == UInt8(ascii: "M") ? UInt8(ascii: "!") : $0 }, false)
        case .oneAndOneCutShort: (pem, isGood) = (one + one.prefix(one.count / 2), false)
        case .privateKey:
            (pem, isGood) = (Array("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n".utf8), false)
        }
        do {
            _ = try TLSClientContext(extraAuthorities: pem)
            #expect(isGood)
        } catch {
            #expect(!isGood, "\(error)")
            #expect(error.code == .badAuthorities)
        }
    }
}
