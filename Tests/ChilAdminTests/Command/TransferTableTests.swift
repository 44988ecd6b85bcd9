import ChilStore
import Testing

@testable import ChilAdmin

@Suite struct TransferTableTests {
    struct Good: CustomTestStringConvertible, Sendable {
        let text: String
        let lines: [String]
        var testDescription: String { text.debugDescription }

        init(_ text: String, _ lines: [String]) { (self.text, self.lines) = (text, lines) }
    }

    @Test(arguments: [
        Good("sub,transfer_sub\n", []),
        Good("sub,transfer_sub\na,b\n", ["a>b"]),
        Good("\u{FEFF}sub,transfer_sub\r\na,b\r\nc,d\r\n", ["a>b", "c>d"]),
        Good("sub,transfer_sub\na,b", ["a>b"]),
        Good("note,transfer_sub,sub\nx,b,a\n,d,c\n", ["a>b", "c>d"]),
        Good("\"sub\",\"transfer_sub\"\n\"a,1\",\"b\"\"2\"\n", ["a,1>b\"2"]),
        Good("sub,transfer_sub\n\na,b\n\n", ["a>b"]),
    ])
    func reads(_ row: Good) throws {
        let lines = try TransferTable.read(Array(row.text.utf8))
        #expect(lines.map { "\($0.subject)>\($0.transferSubject)" } == row.lines)
    }

    @Test(arguments: [
        ("a,b\n", 1, "the first line must name the columns sub and transfer_sub"),
        ("sub;transfer_sub\na;b\n", 1, "the first line must name the columns sub and transfer_sub"),
        ("sub,transfer_sub\na\n", 2, "1 values where 2 are named"),
        ("sub,transfer_sub\na,b\na,b,c\n", 3, "3 values where 2 are named"),
        ("sub,transfer_sub\n,b\n", 2, "a value is empty, longer than 255 bytes, or has control characters"),
        ("sub,transfer_sub\na,b\u{7}\n", 2, "a value is empty, longer than 255 bytes, or has control characters"),
        ("sub,transfer_sub\na,\"b\n", 2, "a quotation mark is not closed"),
        ("sub,transfer_sub\na,\"b\"c\n", 2, "something follows a closing quotation mark"),
    ])
    func refuses(_ text: String, _ line: Int, _ reason: String) {
        #expect(throws: TransferTable.Fault(line: line, reason: reason)) { try TransferTable.read(Array(text.utf8)) }
    }

    @Test func refusesWhatIsNoUTF8AndWhatIsTooLong() {
        let bad = Array("sub,transfer_sub\n".utf8) + [0xFF, 0x2C, 0x61, 0x0A]
        #expect(throws: TransferTable.Fault(line: 2, reason: "it is not UTF-8")) { try TransferTable.read(bad) }
        let long = "sub,transfer_sub\n\(String(repeating: "a", count: 256)),b\n"
        #expect(throws: TransferTable.Fault.self) { try TransferTable.read(Array(long.utf8)) }
    }

    @Test(arguments: ["000123.abc.0456", "a,b", "a\"b", "\"", "한 글"])
    func whatIsWrittenIsRead(_ subject: String) throws {
        let transfer = SubjectTransfer(subject: subject, transferSubject: "t\(subject)")
        #expect(try TransferTable.read(Array(TransferTable.header.utf8) + TransferTable.line(transfer)) == [transfer])
    }
}
