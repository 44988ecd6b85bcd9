import ChilCore

/// The JSON body of a request to `/dev/…`: each member is taken once, and what is left over is a mistake.
struct DevBody {
    struct Fault: Error, Equatable {
        let text: String
    }

    private let members: JSONObject
    private var taken: Set<String> = []

    init(_ bytes: [UInt8]) throws(Fault) {
        guard !bytes.isEmpty else {
            self.members = try Self.object(Array("{}".utf8))
            return
        }
        members = try Self.object(bytes)
    }

    private static func object(_ bytes: [UInt8]) throws(Fault) -> JSONObject {
        let value: JSONValue
        do throws(JSONFault) {
            value = try StrictJSON.parse(bytes)
        } catch {
            throw Fault(text: "The body is no JSON: \(error).")
        }
        guard let object = value.object else { throw Fault(text: "The body is no object.") }
        return object
    }

    private mutating func value(_ name: String) -> JSONValue? {
        taken.insert(name)
        guard let value = members[name], !value.isNull else { return nil }
        return value
    }

    mutating func text(_ name: String) throws(Fault) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else { throw Fault(text: "\(name) is no string.") }
        return text
    }

    mutating func required(_ name: String) throws(Fault) -> String {
        guard let text = try text(name), !text.isEmpty else { throw Fault(text: "\(name) is missing.") }
        return text
    }

    mutating func flag(_ name: String) throws(Fault) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let flag = value.bool else { throw Fault(text: "\(name) is neither true nor false.") }
        return flag
    }

    mutating func number(_ name: String, _ range: ClosedRange<Int64>) throws(Fault) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let number = value.int64, range.contains(number) else {
            throw Fault(text: "\(name) is no whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// A word that stands for one of several values.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        _ type: Choice.Type = Choice.self
    ) throws(Fault) -> Choice? where Choice.RawValue == String {
        guard let text = try text(name) else { return nil }
        guard let choice = Choice(rawValue: text) else { throw Self.unknown(name, type) }
        return choice
    }

    mutating func choices<Choice: RawRepresentable & CaseIterable & Hashable>(
        _ name: String,
        _ type: Choice.Type = Choice.self
    ) throws(Fault) -> Set<Choice> where Choice.RawValue == String {
        guard let value = value(name) else { return [] }
        guard let elements = value.array else { throw Fault(text: "\(name) is no array.") }
        var choices: Set<Choice> = []
        for element in elements {
            guard let choice = element.string.flatMap(Choice.init(rawValue:)) else { throw Self.unknown(name, type) }
            choices.insert(choice)
        }
        return choices
    }

    mutating func claims(_ name: String) throws(Fault) -> [AuthorizationDraft.ExtraClaim] {
        guard let value = value(name) else { return [] }
        guard let object = value.object else { throw Fault(text: "\(name) is no object.") }
        return object.members.map { AuthorizationDraft.ExtraClaim(name: $0.name, json: $0.value.json()) }
    }

    /// To be called when all was taken.
    func finish() throws(Fault) {
        for member in members.members where !taken.contains(member.name) {
            throw Fault(text: "\(member.name) is not known here; there are \(taken.sorted().joined(separator: ", ")).")
        }
    }

    private static func unknown<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        _ type: Choice.Type
    ) -> Fault where Choice.RawValue == String {
        Fault(text: "\(name) is none of \(type.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
}
