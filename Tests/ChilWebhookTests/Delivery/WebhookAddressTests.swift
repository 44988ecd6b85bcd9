import ChilHTTP
import ChilLoop
import Testing

@testable import ChilWebhook

/// Catalogue row A-14: addresses that would make the service call what is not the tenant's.
@Suite struct WebhookAddressTests {
    static let refused: [(url: String, fault: WebhookAddress.Fault)] = [
        ("", .notAURL),
        ("file:///etc/passwd", .notAURL),
        ("gopher://hooks.example/", .notAURL),
        ("ftp://hooks.example/", .notAURL),
        ("https://hooks.example@169.254.169.254/", .notAURL),
        ("https://user:password@hooks.example/", .notAURL),
        ("https://hooks.example/#fragment", .notAURL),
        ("https://hooks.example\\@169.254.169.254/", .notAURL),
        ("https://hooks.example/ x", .notAURL),
        ("http://hooks.example/", .notEncrypted),
        ("http://169.254.169.254/latest/meta-data/", .notEncrypted),
        ("https://169.254.169.254/latest/meta-data/", .privateAddress("169.254.169.254")),
        ("https://127.0.0.1/", .privateAddress("127.0.0.1")),
        ("https://10.0.0.1:8443/", .privateAddress("10.0.0.1")),
        ("https://0.0.0.0/", .privateAddress("0.0.0.0")),
        ("https://[::1]/", .privateAddress("::1")),
        ("https://[::ffff:127.0.0.1]/", .privateAddress("::ffff:127.0.0.1")),
        ("https://[fd00::1]/", .privateAddress("fd00::1")),
        ("https://0x7f.1/", .disguisedAddress("0x7f.1")),
        ("https://0x7f000001/", .disguisedAddress("0x7f000001")),
        ("https://2130706433/", .disguisedAddress("2130706433")),
        ("https://127.1/", .disguisedAddress("127.1")),
        ("https://0177.0.0.1/", .disguisedAddress("0177.0.0.1")),
        ("https://127.0.0.1./", .disguisedAddress("127.0.0.1.")),
    ]

    @Test("A-14 a server that is set up is nobody inside", arguments: refused)
    func isRefusedWhenItIsSetUp(_ row: (url: String, fault: WebhookAddress.Fault)) {
        #expect(throws: row.fault, "\(row.url)") { try WebhookAddress.url(row.url, allowing: nil) }
    }

    @Test(arguments: [
        "https://hooks.example/chil?x=1", "https://203.0.114.7/", "https://[2606:4700::1111]/", "https://x1.y2/",
    ])
    func isTaken(_ text: String) throws {
        #expect(try WebhookAddress.url(text, allowing: nil).description.hasPrefix("https://"))
    }

    /// What the operator allowed is one host and port, and nothing beside it.
    @Test func anExceptionIsOneHostAndPort() throws {
        let exception = AddressGuard.Exception("127.0.0.1:9000")
        #expect(try WebhookAddress.url("http://127.0.0.1:9000/hook", allowing: exception).port == 9_000)
        #expect(throws: WebhookAddress.Fault.notEncrypted) {
            try WebhookAddress.url("http://127.0.0.1:9001/hook", allowing: exception)
        }
        #expect(throws: WebhookAddress.Fault.privateAddress("127.0.0.1")) {
            try WebhookAddress.url("https://127.0.0.1:9001/hook", allowing: exception)
        }
    }

    /// Again when something is sent, whatever was set up: the name is looked up then, and may lead elsewhere by then.
    @Test(arguments: [
        "https://169.254.169.254/", "https://[::1]/", "https://0x7f.1/", "https://2130706433/", "https://127.1/",
        "https://localhost/",
        "https://localhost:5432/",
    ])
    func isRefusedWhenItIsCalled(_ text: String) async throws {
        let outcome = try await WebhookBed.send(to: text, allowing: nil)
        guard case .away(let reason) = outcome else {
            Issue.record("\(text): \(outcome)")
            return
        }
        #expect(reason.hasPrefix("address refused: "), "\(text): \(reason)")
    }

    @Test func withoutEncryptionNothingIsSent() async throws {
        let outcome = try await WebhookBed.send(to: "http://localhost:9/", allowing: nil)
        #expect(outcome == .away("http://localhost:9/ is not https, and no private endpoint was allowed for it"))
    }
}
