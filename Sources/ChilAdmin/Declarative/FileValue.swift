import ChilCore

/// A value of a tenant's file. Members have no order: a file is written with them sorted.
indirect enum FileValue: Equatable, Sendable {
    case none
    case flag(Bool)
    case number(Int64)
    case text(String)
    case list([FileValue])
    case members([String: FileValue])

    init(_ json: JSONValue, at path: String) throws(FileFault) {
        switch json {
        case .null: self = .none
        case .bool(let flag): self = .flag(flag)
        case .string(let text): self = .text(text)
        case .number(let number):
            guard let whole = number.int64 else { throw FileFault(path, "is no whole number") }
            self = .number(whole)
        case .array(let elements):
            var list: [FileValue] = []
            for (index, element) in elements.enumerated() {
                list.append(try FileValue(element, at: "\(path)[\(index)]"))
            }
            self = .list(list)
        case .object(let object):
            var members: [String: FileValue] = [:]
            for member in object.members {
                let place = path.isEmpty ? member.name : "\(path).\(member.name)"
                // The reader tells names apart by their bytes, and people by what they see.
                guard members[member.name] == nil else { throw FileFault(place, "is there twice") }
                members[member.name] = try FileValue(member.value, at: place)
            }
            self = .members(members)
        }
    }

    /// By bytes: another way of writing the same letters is another text.
    static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.none, .none): true
        case (.flag(let one), .flag(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.text(let one), .text(let other)): one.isExactly(other)
        case (.list(let one), .list(let other)): one == other
        case (.members(let one), .members(let other)):
            one.count == other.count && one.allSatisfy { other[$0.key] == $0.value }
        default: false
        }
    }

    static func optional(_ text: String?) -> Self { text.map { .text($0) } ?? .none }

    static func optional(_ number: Int64?) -> Self { number.map { .number($0) } ?? .none }

    subscript(name: String) -> FileValue? {
        if case .members(let members) = self { members[name] } else { nil }
    }

    var items: [FileValue]? {
        if case .list(let items) = self { items } else { nil }
    }

    /// As a word of a command line, and as people read it.
    var word: String {
        switch self {
        case .none: "none"
        case .flag(let flag): flag ? "on" : "off"
        case .number(let number): String(number)
        case .text(let text): text
        case .list(let items): items.isEmpty ? "none" : items.map(\.word).joined(separator: ",")
        case .members(let members):
            members.sorted { $0.key < $1.key }.filter { $0.value != .none }.map { name, value in
                if case .members = value { "\(name)=(\(value.word))" } else { "\(name)=\(value.word)" }
            }.joined(separator: " ")
        }
    }

    /// JSON, two spaces a level, members sorted by their names' bytes, without a line's end.
    func json(_ indentation: String = "") -> String {
        let inner = indentation + "  "
        switch self {
        case .none: return "null"
        case .flag(let flag): return flag ? "true" : "false"
        case .number(let number): return String(number)
        case .text(let text): return JSONText.string(text)
        case .list(let items):
            guard !items.isEmpty else { return "[]" }
            return "[\n" + items.map { inner + $0.json(inner) }.joined(separator: ",\n") + "\n\(indentation)]"
        case .members(let members):
            guard !members.isEmpty else { return "{}" }
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let lines = sorted.map { "\(inner)\(JSONText.string($0.key)): \($0.value.json(inner))" }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
        }
    }
}
