import ChilLoop
import Testing

@Suite struct NameResolverTests {
    @Test(arguments: [
        ("127.0.0.1", SocketAddress.Family.ipv4, "127.0.0.1:443"),
        ("0.0.0.0", .ipv4, "0.0.0.0:443"),
        ("::1", .ipv6, "[::1]:443"),
        ("[::1]", .ipv6, "[::1]:443"),
        ("2001:DB8:0:0::1", .ipv6, "[2001:db8::1]:443"),
        ("::ffff:10.0.0.1", .ipv6, "[::ffff:10.0.0.1]:443"),
    ])
    func aNumericAddressIsAnsweredAsItIs(host: String, family: SocketAddress.Family, text: String) async throws {
        let addresses = try await NameResolver.addresses(of: host, port: 443)
        #expect(addresses.map(\.family) == [family])
        #expect(addresses.map(\.description) == [text])
    }

    @Test(arguments: ["127.1", "0x7f.0.0.1", "127.0.0.1 ", "::1%lo", "[::1", "1.2.3.4.5", ""])
    func whatIsNotStrictlyNumericIsAName(host: String) {
        #expect(SocketAddress(numericHost: host, port: 1) == nil)
    }

    @Test func aNameIsLookedUpOffTheLoop() async throws {
        let isBack = try await withLoop { loop, _ in
            let addresses = try await NameResolver.addresses(of: "localhost", port: 80)
            return loop.isCurrentThread
                && addresses.contains { $0.port == 80 && ["127.0.0.1", "::1"].contains($0.host) }
        }
        #expect(isBack)
    }
}
