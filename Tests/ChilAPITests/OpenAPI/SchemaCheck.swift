import ChilCore
import Foundation

/// What is wrong with a value by a schema: the part of JSON Schema 2020-12 that the service's document uses. A keyword it does not
/// know is a fault too, so that the document says nothing that nobody checks.
struct SchemaCheck: Sendable {
    /// What `$ref` looks in.
    let document: JSONValue

    func faults(of value: JSONValue, by schema: JSONValue, at place: String = "") -> [String] {
        guard let members = schema.object else { return ["\(place): the schema is no object"] }
        var faults: [String] = []
        for member in members.members {
            faults += self.faults(of: value, by: member, of: members, at: place)
        }
        return faults
    }

    /// What a reference like `#/components/schemas/Drawing` leads to.
    func target(of reference: String) -> JSONValue? {
        var value = document
        for step in reference.split(separator: "/").dropFirst() {
            guard let next = value.object?[String(step)] else { return nil }
            value = next
        }
        return value
    }

    private func faults(
        of value: JSONValue,
        by member: JSONObject.Member,
        of schema: JSONObject,
        at place: String
    ) -> [String] {
        let rule = member.value
        func fault(_ text: String) -> [String] { ["\(place.isEmpty ? "/" : place): \(text)"] }
        switch member.name {
        case "description", "examples", "default", "x-maxBytes", "then": return []
        case "$ref":
            guard let target = target(of: rule.string ?? "") else {
                return fault("no \(rule.string ?? "text") in the document")
            }
            return faults(of: value, by: target, at: place)
        case "type":
            let types = rule.string.map { [$0] } ?? rule.array?.compactMap(\.string) ?? []
            return types.contains { Self.is(value, $0) } ? [] : fault("no \(types.joined(separator: " or "))")
        case "const": return Self.areEqual(value, rule) ? [] : fault("not \(rule)")
        case "enum":
            let isOne = rule.array?.contains { Self.areEqual(value, $0) } ?? false
            return isOne ? [] : fault("\(value) is none of those that there are")
        case "minimum":
            guard let number = value.number?.double, let least = rule.number?.double else { return [] }
            return number >= least ? [] : fault("less than \(least)")
        case "maximum":
            guard let number = value.number?.double, let most = rule.number?.double else { return [] }
            return number <= most ? [] : fault("more than \(most)")
        case "minLength":
            guard let text = value.string, let least = rule.int64 else { return [] }
            return text.unicodeScalars.count >= least ? [] : fault("shorter than \(least)")
        case "maxLength":
            guard let text = value.string, let most = rule.int64 else { return [] }
            return text.unicodeScalars.count <= most ? [] : fault("longer than \(most)")
        case "pattern":
            guard let text = value.string, let pattern = rule.string else { return [] }
            return Patterns.matches(text, pattern) ? [] : fault("\"\(text.prefix(80))\" is not like \(pattern)")
        case "format":
            guard let text = value.string, let format = rule.string else { return [] }
            return Self.isFormatted(text, format) ? [] : fault("\"\(text.prefix(80))\" is no \(format)")
        case "items":
            return (value.array ?? []).enumerated().flatMap { faults(of: $1, by: rule, at: "\(place)/\($0)") }
        case "minItems":
            guard let values = value.array, let least = rule.int64 else { return [] }
            return values.count >= least ? [] : fault("fewer than \(least)")
        case "maxItems":
            guard let values = value.array, let most = rule.int64 else { return [] }
            return values.count <= most ? [] : fault("more than \(most)")
        case "properties":
            guard let object = value.object, let properties = rule.object else { return [] }
            return properties.members.flatMap { property in
                object[property.name].map { faults(of: $0, by: property.value, at: "\(place)/\(property.name)") } ?? []
            }
        case "required":
            guard let object = value.object else { return [] }
            return (rule.array ?? []).compactMap(\.string).filter { object[$0] == nil }.flatMap { fault("no \($0)") }
        case "additionalProperties":
            guard let object = value.object, rule.bool != true else { return [] }
            let known = Set(schema["properties"]?.object?.members.map(\.name) ?? [])
            return object.members.filter { !known.contains($0.name) }.flatMap { fault("unknown member \($0.name)") }
        case "oneOf":
            let all = (rule.array ?? []).map { faults(of: value, by: $0, at: place) }
            return all.count { $0.isEmpty } == 1 ? [] : fault("not exactly one of: \(all)")
        case "anyOf":
            let all = (rule.array ?? []).map { faults(of: value, by: $0, at: place) }
            return all.contains { $0.isEmpty } ? [] : fault("none of: \(all)")
        case "if":
            guard faults(of: value, by: rule, at: place).isEmpty, let then = schema["then"] else { return [] }
            return faults(of: value, by: then, at: place)
        default: return fault("nobody checks the keyword \(member.name)")
        }
    }

    private static func `is`(_ value: JSONValue, _ type: String) -> Bool {
        switch type {
        case "string": value.string != nil
        case "integer": value.number?.whole != nil
        case "boolean": value.bool != nil
        case "array": value.array != nil
        case "object": value.object != nil
        case "null": value.isNull
        default: false
        }
    }

    /// By code points: Swift's texts are equal in other normal forms too.
    private static func areEqual(_ one: JSONValue, _ other: JSONValue) -> Bool {
        if let text = one.string, let otherText = other.string { return text.utf8.elementsEqual(otherText.utf8) }
        return one == other
    }

    private static func isFormatted(_ text: String, _ format: String) -> Bool {
        switch format {
        case "date-time": Patterns.matches(text, #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$"#)
        case "uri": URL(string: text)?.scheme != nil
        case "binary": true
        default: false
        }
    }
}

/// Patterns that were used before.
private enum Patterns {
    private static let known = Locked<[String: NSRegularExpression]>([:])

    static func matches(_ text: String, _ pattern: String) -> Bool {
        let expression = known.withLock { known in
            if let expression = known[pattern] { return expression as NSRegularExpression? }
            known[pattern] = try? NSRegularExpression(pattern: pattern)
            return known[pattern]
        }
        let range = NSRange(text.startIndex..., in: text)
        return expression?.firstMatch(in: text, range: range)?.range == range
    }
}
