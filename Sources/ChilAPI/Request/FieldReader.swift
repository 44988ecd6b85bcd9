import ChilCore
import ChilStore

/// Reads the members of a JSON body and gathers what is wrong with them, so that a client hears of all faults at once.
struct FieldReader {
    private let object: JSONObject
    /// A handful: a set would cost more than looking through them.
    private var read: [String] = []
    private var faults: [Problem.FieldFault] = []

    init(_ object: JSONObject) {
        self.object = object
        read.reserveCapacity(Self.usualCount)
    }

    mutating func text(_ name: String, _ rule: TextRule) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else {
            fault(name, "Send a string.")
            return nil
        }
        if let broken = rule.fault(in: text) {
            fault(name, "\(broken)")
            return nil
        }
        return text
    }

    /// A text of which what nobody sees is left out (`String.plain`): it is for people, and no reason to refuse a request.
    mutating func plainText(_ name: String, _ rule: TextRule) -> String? {
        guard let value = value(name) else { return nil }
        guard let text = value.string else {
            fault(name, "Send a string.")
            return nil
        }
        let plain = text.plain
        if plain.isEmpty, !text.isEmpty { return nil }
        if let broken = rule.fault(in: plain) {
            fault(name, "\(broken)")
            return nil
        }
        return plain
    }

    mutating func requiredText(_ name: String, _ rule: TextRule) -> String {
        if let text = text(name, rule) { return text }
        require(name)
        return ""
    }

    /// Says that a member is missing, unless something else is wrong with it.
    mutating func require(_ name: String) {
        if !faults.contains(where: { $0.pointer == "/\(name)" }) { fault(name, "This member is required.") }
    }

    /// A token, of whatever characters: what is none of ours has one answer, which tells nobody why.
    mutating func requiredToken(_ name: String) -> String {
        guard let text = value(name)?.string, !text.isEmpty else { return requiredText(name, TextRule(bytesMax: .max)) }
        return text
    }

    /// A member of a merge patch (RFC 7396): not there keeps what is, `null` removes it.
    mutating func change(_ name: String, _ rule: TextRule) -> AccountRename.Change {
        if let value = object[name], value.isNull {
            read.append(name)
            return .remove
        }
        return text(name, rule).map { .set($0) } ?? .keep
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int64>) -> Int64? {
        guard let value = value(name) else { return nil }
        guard let number = value.number?.whole, range.contains(number) else {
            fault(name, "Send an integer from \(range.lowerBound) to \(range.upperBound).")
            return nil
        }
        return number
    }

    mutating func requiredInteger(_ name: String, in range: ClosedRange<Int64>) -> Int64 {
        if let number = integer(name, in: range) { return number }
        require(name)
        return 0
    }

    /// An array of 1 to `countMax` integers; `nil` where it is not there.
    mutating func integers(_ name: String, countMax: Int, in range: ClosedRange<Int64>) -> [Int64]? {
        guard let value = value(name) else { return nil }
        guard let values = value.array, (1...countMax).contains(values.count) else {
            fault(name, "Send an array of 1 to \(countMax).")
            return []
        }
        return values.enumerated().compactMap { place, value in
            if let number = value.number?.whole, range.contains(number) { return number }
            let detail = "Send an integer from \(range.lowerBound) to \(range.upperBound)."
            faults.append(Problem.FieldFault(pointer: "/\(name)/\(place)", detail: detail))
            return nil
        }
    }

    /// Says what is wrong with a member that was read.
    mutating func refuse(_ name: String, _ detail: String) {
        if !faults.contains(where: { $0.pointer == "/\(name)" }) { fault(name, detail) }
    }

    mutating func requiredFlag(_ name: String) -> Bool {
        guard let value = value(name) else {
            require(name)
            return false
        }
        guard let flag = value.bool else {
            fault(name, "Send true or false.")
            return false
        }
        return flag
    }

    /// An array of 1 to `countMax` texts, each read by `parse`; what it does not know is refused, by its place.
    mutating func requiredList<Element>(
        _ name: String,
        countMax: Int,
        _ expectation: String,
        _ parse: (String) -> Element?
    ) -> [Element] {
        guard let value = value(name) else {
            require(name)
            return []
        }
        guard let values = value.array, (1...countMax).contains(values.count) else {
            fault(name, "Send an array of 1 to \(countMax).")
            return []
        }
        var elements: [Element] = []
        for (place, value) in values.enumerated() {
            if let element = value.string.flatMap(parse) {
                elements.append(element)
            } else {
                faults.append(Problem.FieldFault(pointer: "/\(name)/\(place)", detail: "Send \(expectation)."))
            }
        }
        return elements
    }

    /// - Parameter isAnyCase: whether the words, which have none themselves, may come in capitals.
    mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        _ type: Choice.Type,
        isAnyCase: Bool = false
    ) -> Choice? where Choice.RawValue == String {
        guard let value = value(name) else { return nil }
        let word = isAnyCase ? value.string?.lowercased() : value.string
        guard let choice = word.flatMap(Choice.init(rawValue:)) else {
            fault(name, "Send one of: \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
            return nil
        }
        return choice
    }

    /// Refuses what is wrong and every member that was not asked for.
    mutating func finish() throws(Problem) {
        for member in object.members where !read.contains(member.name) {
            fault(member.name, "There is no such member: leave it out.")
        }
        guard faults.isEmpty else { throw .invalidFields(Array(faults.prefix(Self.faultsMax))) }
    }

    /// A member that is `null` is taken for one that is not there.
    private mutating func value(_ name: String) -> JSONValue? {
        read.append(name)
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    private mutating func fault(_ name: String, _ detail: String) {
        let escaped = name.prefix(64).map { $0 == "~" ? "~0" : $0 == "/" ? "~1" : String($0) }.joined()
        // No answer to a refused request may have a member or text that the first app would take for a result.
        faults.append(Problem.FieldFault(pointer: "/" + escaped, detail: detail))
    }

    private static let usualCount = 8
    private static let faultsMax = 20
}
