/// Puts numbered objects, the cross-reference table and the trailer together (ISO 32000-1 §7.5). No date, no identifier:
/// the same input gives the same bytes.
struct PDFWriter {
    private(set) var bytes: [UInt8]
    private var offsets: [Int?]

    /// `objectCount` numbers are reserved, from 1; each must be written once.
    init(objectCount: Int, capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity + 256 * (objectCount + 2))
        offsets = [Int?](repeating: nil, count: objectCount)
        // Version 1.5 has samples of sixteen bits; the second line tells transports that this is no text.
        bytes += "%PDF-1.5\n%".utf8
        bytes += [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    }

    mutating func add(_ number: Int, _ dictionary: String) {
        begin(number)
        bytes += "\(dictionary)\nendobj\n".utf8
    }

    /// `entries` are those of the stream's dictionary beside `Length`.
    mutating func add(_ number: Int, _ entries: String, stream: some Collection<UInt8>) {
        begin(number)
        bytes += "<< \(entries) /Length \(stream.count) >>\nstream\n".utf8
        bytes += stream
        bytes += "\nendstream\nendobj\n".utf8
    }

    mutating func finish(root: Int) -> [UInt8] {
        let table = bytes.count
        bytes += "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n".utf8
        for offset in offsets {
            let digits = String(offset ?? 0)
            bytes += String(repeating: "0", count: 10 - digits.utf8.count).utf8
            bytes += "\(digits) 00000 n \n".utf8
        }
        bytes += "trailer\n<< /Size \(offsets.count + 1) /Root \(root) 0 R >>\nstartxref\n\(table)\n%%EOF\n".utf8
        return bytes
    }

    private mutating func begin(_ number: Int) {
        offsets[number - 1] = bytes.count
        bytes += "\(number) 0 obj\n".utf8
    }

    /// A number with four decimals at most: a ten-thousandth of a point is 35 nanometres. No exponent (§7.3.3).
    static func number(_ value: Double) -> String {
        let scaled = Int((value * 10_000).rounded())
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: 10_000)
        let sign = scaled < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        var digits = String(rest)
        digits = String(repeating: "0", count: 4 - digits.utf8.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return "\(sign)\(whole).\(digits)"
    }
}
