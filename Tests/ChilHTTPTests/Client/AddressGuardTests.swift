import ChilHTTP
import ChilLoop
import Testing

/// What may be reached from here. Rows: IANA's special-purpose registries, and every way to write an IPv4 address into another.
@Suite struct AddressGuardTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let address: String
        let isPublic: Bool
        var testDescription: String { "\(name) \(address)" }

        init(_ name: String, _ address: String, _ isPublic: Bool = false) {
            self.name = name
            self.address = address
            self.isPublic = isPublic
        }

        static let all = [
            Row("public", "17.32.194.6", true), Row("public", "1.1.1.1", true), Row("public", "2620:149:af0::10", true),
            Row("this network", "0.0.0.0"), Row("this network", "0.1.2.3"),
            Row("below private", "9.255.255.255", true), Row("private", "10.0.0.0"), Row("private", "10.255.255.255"),
            Row("above private", "11.0.0.0", true),
            Row("below shared", "100.63.255.255", true), Row("shared (CGNAT)", "100.64.0.0"),
            Row("shared (CGNAT)", "100.127.255.255"), Row("above shared", "100.128.0.0", true),
            Row("metadata (Alibaba)", "100.100.100.200"),
            Row("loopback", "127.0.0.1"), Row("loopback", "127.255.255.254"), Row("above loopback", "128.0.0.1", true),
            Row("link-local", "169.254.0.1"), Row("metadata", "169.254.169.254"),
            Row("metadata (ECS)", "169.254.170.2"),
            Row("below link-local", "169.253.255.255", true), Row("above link-local", "169.255.0.0", true),
            Row("below private", "172.15.255.255", true), Row("private", "172.16.0.1"),
            Row("private", "172.31.255.255"),
            Row("above private", "172.32.0.0", true),
            Row("protocol assignments", "192.0.0.192"), Row("documentation", "192.0.2.1"),
            Row("6to4 relay", "192.88.99.1"),
            Row("private", "192.168.0.1"), Row("private", "192.168.255.255"), Row("above private", "192.169.0.0", true),
            Row("benchmarking", "198.18.0.1"), Row("benchmarking", "198.19.255.255"),
            Row("above it", "198.20.0.0", true),
            Row("documentation", "198.51.100.1"), Row("documentation", "203.0.113.1"),
            Row("multicast", "224.0.0.1"), Row("reserved", "240.0.0.1"), Row("broadcast", "255.255.255.255"),

            Row("unspecified", "::"), Row("loopback", "::1"), Row("unique local", "fc00::1"),
            Row("unique local", "fd00:ec2::254"),
            Row("link-local", "fe80::1"), Row("site-local", "fec0::1"), Row("multicast", "ff02::1"),
            Row("discard-only", "100::1"), Row("documentation", "2001:db8::1"), Row("documentation", "3fff::1"),
            Row("Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"), Row("ORCHID", "2001:20::1"),
            Row("segment routing", "5f00::1"), Row("outside global unicast", "4000::1"),

            Row("v4-mapped loopback", "::ffff:127.0.0.1"), Row("v4-mapped private", "::ffff:10.0.0.1"),
            Row("v4-mapped metadata", "::ffff:169.254.169.254"), Row("v4-mapped public", "::ffff:17.32.194.6", true),
            Row("v4-compatible loopback", "::127.0.0.1"), Row("v4-compatible public", "::17.32.194.6"),
            Row("v4-translated", "::ffff:0:127.0.0.1"),
            Row("NAT64 of loopback", "64:ff9b::127.0.0.1"), Row("NAT64 of private", "64:ff9b::192.168.1.1"),
            Row("NAT64 of metadata", "64:ff9b::a9fe:a9fe"), Row("NAT64 of public", "64:ff9b::17.32.194.6", true),
            Row("local NAT64", "64:ff9b:1::17.32.194.6"), Row("NAT64 with a tail", "64:ff9b::1:17.32.194.6"),
            Row("6to4 of loopback", "2002:7f00:1::1"), Row("6to4 of private", "2002:c0a8:101::1"),
            Row("6to4 of metadata", "2002:a9fe:a9fe::1"), Row("6to4 of public", "2002:1120:c206::1", true),
            Row("ISATAP of loopback", "fe80::5efe:127.0.0.1"),
        ]
    }

    @Test(arguments: Row.all)
    func publicMeansPublic(_ row: Row) throws {
        let address = try #require(SocketAddress(numericHost: row.address, port: 443))
        #expect(AddressGuard.isPublic(address) == row.isPublic)
        #expect(AddressGuard().allows(address, for: "issuer.example") == row.isPublic)
    }

    /// An exception is for the host as the URL writes it, and its port: not for another name of the same address.
    @Test(arguments: [
        ("localhost", 8_082 as UInt16, "127.0.0.1", true), ("LOCALHOST", 8_082, "127.0.0.1", true),
        ("localhost", 8_083, "127.0.0.1", false), ("127.0.0.1", 8_082, "127.0.0.1", false),
        ("localhost.evil.example", 8_082, "127.0.0.1", false), ("evil.example", 8_082, "10.0.0.1", false),
        ("evil.example", 8_082, "17.32.194.6", true), ("localhost", 8_082, "::1", true),
        ("localhost", 443, "::1", false),
    ])
    func anExceptionIsForOneHostAndPort(_ host: String, _ port: UInt16, _ address: String, _ isAllowed: Bool) throws {
        let addressGuard = AddressGuard(allowing: [AddressGuard.Exception(host: "LocalHost", port: 8_082)])
        let resolved = try #require(SocketAddress(numericHost: address, port: port))
        // URLs keep their hosts in lower case.
        let written = try #require(HTTPURL("http://\(host):\(port)/")).host
        #expect(addressGuard.allows(resolved, for: written) == isAllowed)
    }

    /// Numbers that a resolver reads as an address: the address counts, however the URL writes it.
    @Test(arguments: [
        "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://127.1/", "http://[::1]/",
        "http://localhost/",
    ])
    func everySpellingOfLoopbackIsRefused(_ text: String) async throws {
        let url = try #require(HTTPURL(text))
        let thread = try LoopThread()
        let code = await LoopHome(thread.loop).run { loop in
            do {
                _ = try await HTTPClient(on: loop, AddressGuard()).send(ClientRequest(.get, url))
                return nil as ClientFailure.Code?
            } catch {
                return (error as? ClientFailure)?.code
            }
        }
        thread.loop.stop()
        thread.join()
        #expect(code == .refusedAddress || code == .unknownHost)
    }
}
