import ChilCore
import ChilStore

/// The file that goes from team to team: CSV (RFC 4180) with the columns `sub` and `transfer_sub`, in any order, among others.
enum TransferTable {
    /// Where a file is wrong; its texts are not repeated.
    struct Fault: Error, Equatable {
        let line: Int
        let reason: String
    }

    static let header = "sub,transfer_sub\n"
    private static let subjectRule = TextRule(bytesMax: 255)

    /// One line, with quotation marks only where a value needs them.
    static func line(_ transfer: SubjectTransfer) -> [UInt8] {
        Array("\(field(transfer.subject)),\(field(transfer.transferSubject))\n".utf8)
    }

    /// All lines of a file.
    static func read(_ text: [UInt8]) throws(Fault) -> [SubjectTransfer] {
        var text = text[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        var transfers: [SubjectTransfer] = []
        var columns: (count: Int, subject: Int, transfer: Int)?
        var number = 0
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let line = line.last == 0x0D ? line.dropLast() : line
            if line.isEmpty { continue }
            let fields = try Self.fields(line, number)
            guard let known = columns else {
                guard let subject = fields.firstIndex(of: "sub"), let transfer = fields.firstIndex(of: "transfer_sub")
                else { throw Fault(line: number, reason: "the first line must name the columns sub and transfer_sub") }
                columns = (fields.count, subject, transfer)
                continue
            }
            guard fields.count == known.count else {
                throw Fault(line: number, reason: "\(fields.count) values where \(known.count) are named")
            }
            let (subject, transfer) = (fields[known.subject], fields[known.transfer])
            guard subjectRule.fault(in: subject) == nil, subjectRule.fault(in: transfer) == nil else {
                throw Fault(line: number, reason: "a value is empty, longer than 255 bytes, or has control characters")
            }
            transfers.append(SubjectTransfer(subject: subject, transferSubject: transfer))
        }
        return transfers
    }

    private static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private static func fields(_ line: ArraySlice<UInt8>, _ number: Int) throws(Fault) -> [String] {
        var fields: [String] = []
        var rest = line
        while true {
            let (field, end) = rest.first == 0x22 ? try quoted(rest, number) : plain(rest)
            guard let text = String(validating: field, as: UTF8.self) else {
                throw Fault(line: number, reason: "it is not UTF-8")
            }
            fields.append(text)
            guard end < rest.endIndex else { return fields }
            guard rest[end] == 0x2C else {
                throw Fault(line: number, reason: "something follows a closing quotation mark")
            }
            rest = rest[(end + 1)...]
        }
    }

    private static func plain(_ rest: ArraySlice<UInt8>) -> ([UInt8], end: Int) {
        let end = rest.firstIndex(of: 0x2C) ?? rest.endIndex
        return (Array(rest[..<end]), end)
    }

    private static func quoted(_ rest: ArraySlice<UInt8>, _ number: Int) throws(Fault) -> ([UInt8], end: Int) {
        var field: [UInt8] = []
        var at = rest.startIndex + 1
        while at < rest.endIndex {
            if rest[at] == 0x22 {
                guard at + 1 < rest.endIndex, rest[at + 1] == 0x22 else { return (field, at + 1) }
                at += 1
            }
            field.append(rest[at])
            at += 1
        }
        throw Fault(line: number, reason: "a quotation mark is not closed")
    }
}
