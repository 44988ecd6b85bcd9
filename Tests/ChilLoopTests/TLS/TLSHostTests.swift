import ChilCore
import ChilCrypto
import Testing

@Suite struct TLSHostTests {
    private static let context = Result { try TLSClientContext() }
    private static let now = Timestamp(seconds: 1_700_000_000)

    @Test(arguments: ["idp.test", "idp.test.", "xn--h49a.test", "a_b.test", "127.0.0.1", "::1", "2001:db8::1"])
    func isTaken(host: String) throws {
        let session = try TLSSession(try Self.context.get(), host: host, at: Self.now)
        #expect(session.handshake() == .wouldBlock)
        #expect(session.takeOutput().first == 0x16)
        #expect(session.takeOutput() == [])
    }

    @Test(arguments: [
        "", ".", "..", ".idp.test", "idp..test", "*.idp.test", "idp.test\0.evil.test", "127.0.0.1\0", "[::1]",
        "fe80::1%lo",
        "칠하다.test", "idp.test:443", " idp.test", "idp.test ", "idp.test/", String(repeating: "a", count: 64),
        String(repeating: "ab.", count: 85),
    ])
    func isRefused(host: String) throws {
        let error = try #require(throws: TLSFault.self) {
            try TLSSession(try Self.context.get(), host: host, at: Self.now)
        }
        #expect(error.code == .badHost)
    }

    @Test func everyFaultNamesARemedy() {
        let remedies = TLSFault.Code.allCases.map { TLSFault(code: $0, detail: "").remedy }
        #expect(Set(remedies).count == TLSFault.Code.allCases.count)
    }
}
