/// The members of an object in the order they were written; no name occurs twice.
package struct JSONObject: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        package let name: String
        package let value: JSONValue
    }

    package private(set) var members: [Member] = []
    private var names: Set<ExactText> = []

    /// Up to here a look along the members is cheaper than a set of their names.
    private static let linearSearchMax = 16

    init() {
        members.reserveCapacity(8)
    }

    package var count: Int { members.count }

    /// The value of a member, found by the bytes of its name.
    package subscript(_ name: String) -> JSONValue? {
        for index in members.indices where members[index].name.isExactly(name) { return members[index].value }
        return nil
    }

    /// Whether a name is taken already.
    func hasMember(named name: String) -> Bool {
        if members.count > Self.linearSearchMax { return names.contains(ExactText(name)) }
        for index in members.indices where members[index].name.isExactly(name) { return true }
        return false
    }

    mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
        if members.count == Self.linearSearchMax + 1 {
            names = Set(members.map { ExactText($0.name) })
        } else if members.count > Self.linearSearchMax {
            names.insert(ExactText(name))
        }
    }
}
