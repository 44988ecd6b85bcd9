import ChilCore

/// A value of a tenant's file. Members have no order: a file is written with them sorted.
indirect enum FileValue: Equatable, Sendable {
    case none
    case flag(Bool)
    case number(Int64)
    case text(String)
    case list([FileValue])
    case members([String: FileValue])

    /// `nil`: a number that is no whole one.
    init?(_ json: JSONValue) {
        switch json {
        case .null: self = .none
        case .bool(let flag): self = .flag(flag)
        case .string(let text): self = .text(text)
        case .number(let number):
            guard let whole = number.int64 else { return nil }
            self = .number(whole)
        case .array(let elements):
            var list: [FileValue] = []
            for element in elements {
                guard let value = FileValue(element) else { return nil }
                list.append(value)
            }
            self = .list(list)
        case .object(let object):
            var members: [String: FileValue] = [:]
            for member in object.members {
                guard let value = FileValue(member.value) else { return nil }
                members[member.name] = value
            }
            self = .members(members)
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
            members.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.word)" }.joined(separator: " ")
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
