import ChilCore

/// What may stand in a tenant's file at one place.
indirect enum FileShape: Sendable {
    case text
    case number
    case flag
    case texts
    /// The name of a file beside this one that holds a secret, or `-`, standard input: never a way to elsewhere.
    case fileName
    /// Or null.
    case optional(FileShape)
    /// Members, each with its shape; one that is missing has the value beside it, or must be there.
    case members([String: FileMember])
    /// Members of any name.
    case dictionary(FileShape)
    /// A list of such members; those named make one of it known again.
    case items(FileItems, [String: FileMember])

    /// The value with what is usual filled in, items in the order of their names.
    func checked(_ value: FileValue, at path: String) throws(FileFault) -> FileValue {
        switch (self, value) {
        case (.optional, .none), (.number, .number), (.flag, .flag): return value
        case (.text, .text(let text)):
            guard !text.utf8.contains(0) else { throw FileFault(path, "has a NUL in it") }
            return value
        case (.fileName, .text(let name)):
            let isPlain =
                !name.isEmpty && ![".", ".."].contains(name) && !name.utf8.contains { $0 == 0x2F || $0 < 0x20 }
            guard isPlain else { throw FileFault(path, "is not \(expectation)") }
            return value
        case (.optional(let shape), _): return try shape.checked(value, at: path)
        case (.texts, .list(let items)):
            for (index, item) in items.enumerated() { _ = try FileShape.text.checked(item, at: "\(path)[\(index)]") }
            return value
        case (.members(let shapes), .members(let members)): return try Self.filled(members, shapes, path)
        case (.dictionary(let shape), .members(let members)):
            for (name, member) in members { _ = try shape.checked(member, at: "\(path).\(name)") }
            return value
        case (.items(let kind, let shapes), .list(let items)):
            guard items.count <= FileItems.countMax else {
                throw FileFault(path, "has more than \(FileItems.countMax) items")
            }
            var filled: [FileValue] = []
            for (index, item) in items.enumerated() {
                guard case .members(let members) = item else {
                    throw FileFault("\(path)[\(index)]", "is not an object")
                }
                filled.append(try Self.filled(members, shapes, "\(path)[\(index)]"))
            }
            if !kind.mayRepeat {
                var seen: Set<[UInt8]> = []
                for name in filled.map(kind.name) where !seen.insert(Array(name.utf8)).inserted {
                    throw FileFault(path, "has '\(name)' twice")
                }
            }
            return .list(kind.sorted(filled))
        default: throw FileFault(path, "is not \(expectation)")
        }
    }

    private static func filled(
        _ members: [String: FileValue],
        _ shapes: [String: FileMember],
        _ path: String
    ) throws(FileFault) -> FileValue {
        func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        for name in members.keys.sorted() where shapes[name] == nil {
            let nearest =
                name.utf8.count > 100 ? nil : Suggestion.nearest(to: name, among: shapes.keys.sorted())
            throw FileFault(place(name), "is unknown" + (nearest.map { "; did you mean \($0)?" } ?? ""))
        }
        var filled: [String: FileValue] = [:]
        for (name, member) in shapes.sorted(by: { $0.key < $1.key }) {
            if let value = members[name] {
                filled[name] = try member.shape.checked(value, at: place(name))
            } else if let usual = member.usual {
                filled[name] = usual
            } else if !path.isEmpty {
                throw FileFault(place(name), "is missing")
            }
        }
        return .members(filled)
    }

    private var expectation: String {
        switch self {
        case .text: "a text"
        case .number: "a whole number"
        case .flag: "true or false"
        case .texts: "a list of texts"
        case .fileName: "the name of a file beside this one, or -"
        case .optional(let shape): "\(shape.expectation), or null"
        case .members, .dictionary: "an object"
        case .items: "a list of objects"
        }
    }
}

/// What is wrong in a file, and where.
struct FileFault: Error, Equatable {
    /// `quotas[2].metric`; empty: the whole.
    let path: String
    let what: String

    init(_ path: String, _ what: String) {
        self.path = path
        self.what = what
    }
}

/// A member's shape, and what it is where it is not said.
struct FileMember: Sendable {
    let shape: FileShape
    let usual: FileValue?

    static func needed(_ shape: FileShape) -> Self { Self(shape: shape, usual: nil) }

    static func usually(_ usual: FileValue, _ shape: FileShape) -> Self { Self(shape: shape, usual: usual) }

    /// Or null, which it is where nothing is said.
    static func optional(_ shape: FileShape) -> Self { Self(shape: .optional(shape), usual: FileValue.none) }
}
