import ChilCore

/// The members of a JSON object that is to be written, in their order.
struct JSONMembers: Sendable {
    private var members: [(name: String, json: [UInt8])] = []

    mutating func add(_ name: String, _ text: String) {
        var writer = ByteWriter(capacity: text.utf8.count + 8)
        writer.append(json: text)
        members.append((name, writer.finish()))
    }

    mutating func add(_ name: String, _ number: Int) {
        members.append((name, Array("\(number)".utf8)))
    }

    mutating func add(_ name: String, raw json: [UInt8]) {
        members.append((name, json))
    }

    /// Replaces a member of that name, else adds it.
    mutating func put(_ name: String, raw json: [UInt8]) {
        members.removeAll { $0.name.isExactly(name) }
        members.append((name, json))
    }

    func json() -> [UInt8] {
        var writer = ByteWriter(capacity: 1_024)
        writer.append("{")
        for (index, member) in members.enumerated() {
            if index > 0 { writer.append(",") }
            writer.append(json: member.name)
            writer.append(":")
            writer.append(bytes: member.json)
        }
        writer.append("}")
        return writer.finish()
    }
}
