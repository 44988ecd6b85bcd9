import Testing

@testable import ChilAPI

/// Where a request came from: what trusted proxies say, and nobody else.
@Suite struct TrustedProxiesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let trusted: String
        let peer: String
        let lines: [String]
        let expected: String

        var testDescription: String { name }

        init(_ name: String, _ trusted: String, _ peer: String, _ lines: [String], _ expected: String) {
            self.name = name
            self.trusted = trusted
            self.peer = peer
            self.lines = lines
            self.expected = expected
        }
    }

    private static let inner = "10.0.0.0/8,fd00::/8,192.168.1.1"
    static let rows = [
        Row("no field", inner, "10.0.0.1", [], "10.0.0.1"),
        Row("nobody is trusted", "none", "10.0.0.1", ["203.0.113.7"], "10.0.0.1"),
        Row("a stranger's word", inner, "198.51.100.9", ["203.0.113.7"], "198.51.100.9"),
        Row("one hop", inner, "10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        Row("right-most untrusted", inner, "10.0.0.1", ["1.1.1.1, 203.0.113.7"], "203.0.113.7"),
        Row("through two proxies", inner, "10.0.0.1", ["1.1.1.1, 203.0.113.7, 10.9.9.9"], "203.0.113.7"),
        Row("lines are one list", inner, "10.0.0.1", ["1.1.1.1, 203.0.113.7", "10.9.9.9"], "203.0.113.7"),
        Row("a line in front is the client's", inner, "10.0.0.1", ["10.1.1.1", "203.0.113.7"], "203.0.113.7"),
        Row("all are trusted", inner, "10.0.0.1", ["10.1.1.1, 10.2.2.2"], "10.1.1.1"),
        Row("one exact address", inner, "192.168.1.1", ["203.0.113.7"], "203.0.113.7"),
        Row("its neighbour", inner, "192.168.1.2", ["203.0.113.7"], "192.168.1.2"),
        Row("IPv6 through IPv6", inner, "fd00::1", ["2001:db8::5"], "2001:db8::5"),
        Row("IPv6 in brackets", inner, "fd00::1", ["[2001:db8::5]"], "2001:db8::5"),
        Row("with ports", inner, "10.0.0.1", ["[2001:db8::5]:443"], "2001:db8::5"),
        Row("IPv4 with a port", inner, "10.0.0.1", ["203.0.113.7:51000"], "203.0.113.7"),
        Row("a peer as ::ffff:", inner, "::ffff:10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        Row("a hop as ::ffff:", inner, "10.0.0.1", ["203.0.113.7, ::ffff:10.9.9.9"], "203.0.113.7"),
        Row("a client as ::ffff:", inner, "10.0.0.1", ["::ffff:203.0.113.7"], "203.0.113.7"),
        Row("a block as ::ffff:", "::ffff:10.0.0.0/104", "10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        Row("all of IPv6 is not IPv4", "::/0", "10.0.0.1", ["203.0.113.7"], "10.0.0.1"),
        Row("all of IPv4", "0.0.0.0/0", "10.0.0.1", ["1.1.1.1, 203.0.113.7"], "1.1.1.1"),
        Row("empty elements", inner, "10.0.0.1", [", 203.0.113.7 ,, "], "203.0.113.7"),
        Row("nothing in it", inner, "10.0.0.1", [""], "10.0.0.1"),
        Row("spaces and tabs", inner, "10.0.0.1", ["\t203.0.113.7\t"], "203.0.113.7"),
    ]
    static let junk = [
        "unknown", "_hidden", "localhost", "203.0.113.7.", "203.0.113", "203.0.113.256", "0203.0.113.7", "0xcb.0.113.7",
        "3405803783",
        "203.0.113.7/32", "203.0.113.7:", "203.0.113.7:x", "203.0.113.7:65536", "203.0.113.7:+80", ":80",
        "fe80::1%eth0", "[203.0.113.7]",
        "[2001:db8::5", "2001:db8::5]", "[2001:db8::5]x", "[2001:db8::5]:", "[[2001:db8::5]]", "2001:db8::5::1",
        "12345::1", "\"203.0.113.7\"",
        "for=203.0.113.7", "203.0.113.7 10.0.0.1", "203.0.113.7;", "<script>", "٢٠٣.٠.١١٣.٧", "' or 1=1 --",
        String(repeating: "1", count: 5_000), "%32", "\u{0}",
    ]

    @Test(arguments: rows)
    func theClientIsFound(_ row: Row) throws {
        #expect(try client(row.trusted, row.peer, row.lines).text == row.expected)
    }

    /// What is no address ends the reading: what stands left of it was not said by a proxy of ours.
    @Test(arguments: junk)
    func junkIsThePeer(_ word: String) throws {
        for line in [word, "1.1.1.1, \(word)", "1.1.1.1, \(word), 10.9.9.9"] {
            #expect(try client(Self.inner, "10.0.0.1", [line]).text == "10.0.0.1", "\(line.prefix(60))")
        }
        // Left of the client it is not read at all.
        #expect(try client(Self.inner, "10.0.0.1", ["\(word), 203.0.113.7"]).text == "203.0.113.7")
    }

    @Test func aChainWithoutEndIsThePeer() throws {
        let chain = Array(repeating: "10.1.1.1", count: 1_000).joined(separator: ",")
        #expect(try client(Self.inner, "10.0.0.1", ["203.0.113.7," + chain]).text == "10.0.0.1")
    }

    @Test func bytesThatAreNoTextAreThePeer() throws {
        let proxies = try #require(TrustedProxies(Self.inner))
        let peer = try #require(NetworkAddress("10.0.0.1"))
        #expect(proxies.client(of: peer, forwarded: [[0xff, 0xfe, 0x2c, 0x80]]) == peer)
    }

    @Test(arguments: [
        "", "10.0.0.0/8,", ",", "10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8",
        "proxy.example",
        "fd00::1/8", "fd00::/129", "::ffff:10.0.0.0/8", "[fd00::]/8", "10.0.0.0/8 fd00::/8", "None",
        Array(repeating: "10.0.0.0/8", count: 65).joined(separator: ","),
    ])
    func aListThatIsNoneIsRefused(_ text: String) {
        #expect(TrustedProxies(text) == nil)
    }

    private func client(_ trusted: String, _ peer: String, _ lines: [String]) throws -> NetworkAddress {
        let proxies = try #require(TrustedProxies(trusted))
        return proxies.client(of: try #require(NetworkAddress(peer)), forwarded: lines.map { Array($0.utf8)[...] })
    }
}
