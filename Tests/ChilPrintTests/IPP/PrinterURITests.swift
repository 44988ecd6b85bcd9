import ChilPrint
import Testing

struct URIRow: Sendable, CustomTestStringConvertible {
    let text: String
    let expected: String
    var testDescription: String { text }
}

@Suite("Printer URI")
struct PrinterURITests {
    @Test(arguments: [
        URIRow(text: "ipp://printer.local/ipp/print", expected: "false printer.local 631 /ipp/print"),
        URIRow(text: "ipps://printer.local/ipp/print", expected: "true printer.local 631 /ipp/print"),
        URIRow(text: "IPP://Printer.Local:8631/Q/a%20b", expected: "false printer.local 8631 /Q/a%20b"),
        URIRow(text: "ipp://10.0.0.7", expected: "false 10.0.0.7 631 /ipp/print"),
        URIRow(text: "ipp://[FE80::1]:70/x", expected: "false fe80::1 70 /x"),
        URIRow(text: "ipp://localhost:1/", expected: "false localhost 1 /"),
        URIRow(text: "ipp://my_printer:65535/printers/HP-4_(2)", expected: "false my_printer 65535 /printers/HP-4_(2)"),
    ])
    func reads(_ row: URIRow) throws {
        let uri = try PrinterURI(row.text)
        #expect("\(uri.isSecure) \(uri.host) \(uri.port) \(uri.path)" == row.expected)
        #expect(try PrinterURI(uri.description) == uri)
    }

    @Test(arguments: [
        ("", PrinterURI.Refusal.empty), ("printer", .wrongScheme), ("http://printer/ipp/print", .wrongScheme),
        ("ipp:/printer", .wrongScheme), ("socket://printer:9100", .wrongScheme), (" ipp://printer", .wrongScheme),
        ("ipp://", .host), ("ipp:///ipp/print", .host), ("ipp://:631/", .host), ("ipp://a b/", .host),
        ("ipp://-a/", .host), ("ipp://a\n/", .host), ("ipp://프린터/", .host), ("ipp://[::1/", .host),
        ("ipp://[]/", .host), ("ipp://[zz]/", .host), ("ipp://a%2e/", .host),
        ("ipp://user@printer/", .credentials), ("ipp://u:p@printer/", .credentials),
        ("ipp://a:0/", .port), ("ipp://a:65536/", .port), ("ipp://a:/", .port), ("ipp://a:+80/", .port),
        ("ipp://a:80:80/", .port), ("ipp://[::1]x/", .port), ("ipp://a:0000000631/", .port),
        ("ipp://a/?q", .path), ("ipp://a?q", .path), ("ipp://a/#f", .path), ("ipp://a/%zz", .path),
        ("ipp://a/%2", .path), ("ipp://a/b c", .path), ("ipp://a/\r\nHost: b", .path), ("ipp://a/\\", .path),
    ])
    func refuses(_ text: String, refusal: PrinterURI.Refusal) {
        #expect(throws: refusal) { try PrinterURI(text) }
    }

    @Test func lengthIsBounded() throws {
        let path = String(repeating: "a", count: 1_023 - 9)
        #expect(try PrinterURI("ipp://ab/" + path).path.utf8.count == 1_015)
        #expect(throws: PrinterURI.Refusal.tooLong) { try PrinterURI("ipp://ab/" + path + "a") }
    }
}
