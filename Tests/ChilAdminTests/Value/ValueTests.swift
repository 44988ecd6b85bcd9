import ChilPrint
import Testing

@testable import ChilAdmin

@Suite struct ValueTests {
    @Test(arguments: [
        ("https://appleid.apple.com", true), ("https://keys.example/auth/keys", true), ("http://127.0.0.1:8082", true),
        ("https://[::1]:8443/keys", true), ("https://EXAMPLE.com/", true),
        ("", false), ("https://", false), ("https:///keys", false), ("appleid.apple.com", false), ("ftp://a/b", false),
        ("https://user@host/", false), ("https://user:pw@host/", false), ("https://host/#f", false),
        ("https://host/?q", false),
        ("https://host?q", false), ("https://host:0/", false), ("https://host:65536/", false),
        ("https://host:/", false),
        ("https://host:08443x/", false), ("https://ho st/", false), ("https://host/\n", false),
        ("https://host\\@evil/", false),
        ("https://[::1/", false), ("https://[]/", false), ("https://칠하다.kr/", false), ("javascript:alert(1)", false),
        ("https://" + String(repeating: "a", count: 600), false), ("HTTPS://host", false), ("//host/", false),
        ("https:/host", false),
    ])
    func webAddresses(_ text: String, _ isOne: Bool) {
        #expect((WebAddress(argument: text) != nil) == isOne)
    }

    @Test(arguments: [
        ("ipp://127.0.0.1:8631/ipp/print", true), ("ipps://printer.local/ipp/print", true), ("ipp://h", true),
        ("http://h:631/", false), ("ipp:/h", false), ("ipp://", false), ("ipp://user@h/", false), ("usb://x", false),
    ])
    func printerAddresses(_ text: String, _ isOne: Bool) {
        #expect((PrinterURI(argument: text) != nil) == isOne)
    }

    @Test(arguments: [
        ("127.0.0.1:8082", "127.0.0.1:8082"), ("LOCALHOST:1", "localhost:1"), ("[::1]:65535", "[::1]:65535"),
        ("host", nil), ("host:", nil), (":80", nil), ("host:0", nil), ("host:65536", nil), ("host:+80", nil),
        ("::1:80", nil),
        ("[::1]", nil), ("[::1]80", nil), ("a b:80", nil), ("host:80 ", nil), ("host/:80", nil), ("u@host:80", nil),
        ("host:80/", nil), ("host?:80", nil), ("[::1]:", nil),
        ("host:99999999999999999999", nil),
    ])
    func hostsAndPorts(_ text: String, _ expected: String?) {
        #expect(HostPort(argument: text)?.text == expected)
    }

    @Test(arguments: [
        ("0", 0), ("42", 42), ("9007199254740991", 9_007_199_254_740_991), ("9007199254740992", nil), ("-1", nil),
        ("+1", nil),
        ("1.0", nil), ("1e3", nil), ("", nil), (" 1", nil), ("١", nil), ("99999999999999999999", nil),
    ])
    func limits(_ text: String, _ expected: Int64?) {
        #expect(QuotaLimit(argument: text)?.count == expected)
    }

    @Test(arguments: [
        ("Chillin", true), ("칠하다 👩‍👧", true), (String(repeating: "칠", count: 120), true), ("", false), ("a\nb", false),
        ("\u{1B}[2J", false), ("a\0", false), (String(repeating: "a", count: 121), false), ("\u{202E}x", false),
    ])
    func names(_ text: String, _ isOne: Bool) {
        #expect((DisplayName(argument: text) != nil) == isOne)
    }

    @Test(arguments: [
        ("com.example.app", true), ("dev-app_1", true), ("", false), ("a b", false), ("칠", false), ("a\n", false),
        (String(repeating: "a", count: 201), false),
    ])
    func clientIDs(_ text: String, _ isOne: Bool) {
        #expect((ClientID(argument: text) != nil) == isOne)
    }

    @Test(arguments: [
        ("ES256", ["ES256"]), ("RS256,ES256", ["RS256", "ES256"]), ("", nil), ("HS256", nil), ("none", nil),
        ("ES256,", nil),
        ("ES256,ES256", nil), ("es256", nil), ("ES256, RS256", nil),
    ])
    func algorithms(_ text: String, _ expected: [String]?) {
        #expect(TokenAlgorithmList(argument: text)?.algorithms.map(\.rawValue) == expected)
    }
}
