import ChilCore
import ChilHTTP
import ChilLoop
import Testing

@testable import ChilDevIssuer

/// A name that somebody else points at this machine (DNS rebinding) opens nothing.
@Suite struct AskedNameTests {
    @Test(arguments: [
        ("127.0.0.1:8082", true), ("localhost:8082", true), ("LOCALHOST", true), ("[::1]:8082", true),
        ("app.localhost", true),
        ("127.9.9.9", true), ("issuer:8090", true), ("evil.example", false), ("127.0.0.1.evil.example", false),
        ("localhost.evil.example", false), ("10.0.0.1", false), ("[::2]", false), ("notlocalhost", false),
    ])
    func isThisMachineOrTheIssuer(_ authority: String, _ isMeant: Bool) throws {
        let settings = IssuerSettings(issuer: "http://issuer:8090")
        #expect(settings.answers(to: authority) == isMeant)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.255.254", true), ("::1", true), ("0.0.0.0", false), ("10.0.0.1", false),
        ("::", false),
        ("::ffff:127.0.0.1", false), ("fe80::1", false),
    ])
    func onlyLoopbackIsLoopback(_ host: String, _ isLoopback: Bool) throws {
        let address = try #require(SocketAddress(numericHost: host, port: 1))
        #expect(LoopbackHost.contains(address) == isLoopback)
    }
}
