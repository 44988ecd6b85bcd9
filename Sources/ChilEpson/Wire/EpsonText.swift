import ChilCore

/// What may stand in a path, and how JSON is written.
enum EpsonText {
    private static let wordBytesMax = 128

    /// 1 to 128 characters of RFC 3986's unreserved ones: no path of ours is led elsewhere by a word of the service's.
    static func isWord(_ text: String) -> Bool {
        guard (1...wordBytesMax).contains(text.utf8.count), text != ".", text != ".." else { return false }
        return text.utf8.allSatisfy { byte in
            0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
                || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
        }
    }

    /// An object of texts, numbers and truth values.
    static func json(_ members: [(name: StaticString, value: Value)]) -> [UInt8] {
        var body = ByteWriter(capacity: 512)
        write(members, into: &body)
        return body.finish()
    }

    enum Value {
        case text(String)
        case flag(Bool)
        case number(Int64)
        case object([(name: StaticString, value: Value)])
    }

    private static func write(_ members: [(name: StaticString, value: Value)], into body: inout ByteWriter) {
        body.append("{")
        for (index, member) in members.enumerated() {
            if index > 0 { body.append(",") }
            body.append("\"")
            body.append(member.name)
            body.append("\":")
            switch member.value {
            case .text(let text): body.append(json: text)
            case .flag(let flag): body.append(json: flag)
            case .number(let number): body.append(decimal: number)
            case .object(let members): write(members, into: &body)
            }
        }
        body.append("}")
    }
}
