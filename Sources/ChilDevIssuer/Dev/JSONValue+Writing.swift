import ChilCore

extension JSONValue {
    /// The value as JSON; numbers as they were written.
    func json() -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        write(to: &writer)
        return writer.finish()
    }

    private func write(to writer: inout ByteWriter) {
        switch self {
        case .null: writer.appendNull()
        case .bool(let flag): writer.append(json: flag)
        case .number(let number): writer.append(unescaped: number.literal)
        case .string(let text): writer.append(json: text)
        case .array(let elements):
            writer.append("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { writer.append(",") }
                element.write(to: &writer)
            }
            writer.append("]")
        case .object(let object):
            writer.append("{")
            for (index, member) in object.members.enumerated() {
                if index > 0 { writer.append(",") }
                writer.append(json: member.name)
                writer.append(":")
                member.value.write(to: &writer)
            }
            writer.append("}")
        }
    }
}
