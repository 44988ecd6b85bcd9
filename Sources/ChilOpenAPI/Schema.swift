package import ChilCore

/// A Schema Object (OpenAPI 3.1 §4.8.24, JSON Schema 2020-12): the part of it that this service needs.
package struct Schema: Sendable {
    private(set) var members: [JSONTree.Member]

    package var tree: JSONTree { .object(members) }

    init(_ members: [JSONTree.Member]) {
        self.members = members
    }

    /// - Parameter type: `string`, `integer`, `boolean`, `array`, `object`.
    init(type: String) {
        members = [JSONTree.Member("type", .text(type))]
    }

    // MARK: Texts

    /// A text from outside. JSON Schema counts characters and the rule bytes: `x-maxBytes` says the rest.
    ///
    /// - Parameter dropsControls: characters that nobody sees are left out of it, not refused (`String.plain`).
    package static func text(_ rule: TextRule, dropsControls: Bool = false) -> Schema {
        var schema = Schema(type: "string")
        if !rule.allowsEmpty { schema.add("minLength", 1) }
        if rule.bytesMax < .max {
            schema.add("maxLength", .number(Int64(rule.bytesMax)))
            schema.add("x-maxBytes", .number(Int64(rule.bytesMax)))
        }
        if !dropsControls {
            let controls =
                rule.allowsLines ? #"\u0000-\u0008\u000b-\u001f\u007f-\u009f"# : #"\u0000-\u001f\u007f-\u009f"#
            let turns = rule.allowsTurns ? "" : #"\u202a-\u202e\u2066-\u2069"#
            schema.add("pattern", .text("^[^\(controls)\(turns)]*$"))
        }
        return schema
    }

    /// - Parameter pattern: of the whole text, without anchors.
    package static func text(pattern: String) -> Schema {
        Schema(type: "string").adding("pattern", .text("^(?:\(pattern))$"))
    }

    package static var text: Schema { Schema(type: "string") }

    package static func text(lengthMax: Int64) -> Schema {
        Schema(type: "string").adding("minLength", 1).adding("maxLength", .number(lengthMax))
    }

    /// RFC 3339 in UTC with milliseconds.
    package static var moment: Schema {
        Schema(type: "string").adding("format", "date-time").example("2026-11-30T06:10:13.123Z")
    }

    /// - Parameter format: `uri`, `uri-reference`, `email`.
    package static func text(format: String) -> Schema {
        Schema(type: "string").adding("format", .text(format))
    }

    /// One of these.
    package static func word(_ words: [String]) -> Schema {
        Schema(type: "string").adding("enum", .list(words.map { .text($0) }))
    }

    package static func word<Word: RawRepresentable & CaseIterable>(_ type: Word.Type) -> Schema
    where Word.RawValue == String {
        word(type.allCases.map(\.rawValue))
    }

    // MARK: Numbers and flags

    package static func integer(_ range: ClosedRange<Int64>) -> Schema {
        Schema(type: "integer").adding("minimum", .number(range.lowerBound)).adding(
            "maximum",
            .number(range.upperBound)
        )
    }

    package static func integer(from least: Int64) -> Schema {
        Schema(type: "integer").adding("minimum", .number(least))
    }

    package static var flag: Schema { Schema(type: "boolean") }

    /// Exactly this.
    package static func constant(_ value: JSONTree) -> Schema {
        Schema([JSONTree.Member("const", value)])
    }

    // MARK: What holds others

    package static func list(of element: Schema, _ count: ClosedRange<Int64>? = nil) -> Schema {
        var schema = Schema(type: "array").adding("items", element.tree)
        if let count {
            schema.add("minItems", .number(count.lowerBound))
            schema.add("maxItems", .number(count.upperBound))
        }
        return schema
    }

    package struct Property: Sendable {
        let name: String
        let schema: Schema
        let isRequired: Bool

        package static func required(_ name: String, _ schema: Schema) -> Property {
            Property(name: name, schema: schema, isRequired: true)
        }

        package static func optional(_ name: String, _ schema: Schema) -> Property {
            Property(name: name, schema: schema, isRequired: false)
        }

        /// Of a request: `null` means the same as leaving it out.
        package static func omissible(_ name: String, _ schema: Schema) -> Property {
            Property(name: name, schema: schema.orNull, isRequired: false)
        }
    }

    /// - Parameter isOpen: others may stand in it, and mean nothing here. Everything of ours is closed.
    package static func object(_ properties: [Property], isOpen: Bool = false) -> Schema {
        var schema = Schema(type: "object")
        schema.add("properties", .object(properties.map { JSONTree.Member($0.name, $0.schema.tree) }))
        let required = properties.filter(\.isRequired).map { JSONTree.text($0.name) }
        if !required.isEmpty { schema.add("required", .list(required)) }
        schema.add("additionalProperties", .flag(isOpen))
        return schema
    }

    package static func one(of schemas: [Schema]) -> Schema {
        Schema([JSONTree.Member("oneOf", .list(schemas.map(\.tree)))])
    }

    package static func reference(_ component: Component) -> Schema {
        Schema([JSONTree.Member("$ref", .reference(component))])
    }

    /// The same with a narrower member.
    package func narrowing(_ name: String, _ schema: Schema) -> Schema {
        var narrowed = self
        let known = members.firstIndex { $0.name == "properties" }
        var properties: [JSONTree.Member] = []
        if let known, case .object(let before) = members[known].value { properties = before }
        properties.append(JSONTree.Member(name, schema.tree))
        if let known { narrowed.members.remove(at: known) }
        narrowed.add("properties", .object(properties))
        return narrowed
    }

    /// Of an object: where a member has this value, these are required too, and of these types.
    package func onlyIf(_ name: String, is value: JSONTree, theseAreRequired names: KeyValuePairs<String, String>)
        -> Schema
    {
        let types = names.map { JSONTree.Member($0.key, ["type": .text($0.value)]) }
        return adding(
            "if",
            ["required": [.text(name)], "properties": .object([JSONTree.Member(name, ["const": value])])]
        )
        .adding("then", ["required": .list(names.map { .text($0.key) }), "properties": .object(types)])
    }

    // MARK: What is said besides

    package var orNull: Schema {
        guard let type = members.firstIndex(where: { $0.name == "type" }), case .text(let name) = members[type].value
        else { return Schema([JSONTree.Member("anyOf", [tree, ["type": "null"]])]) }
        var schema = self
        schema.members[type] = JSONTree.Member("type", [.text(name), "null"])
        if let words = members.firstIndex(where: { $0.name == "enum" }), case .list(let values) = members[words].value {
            schema.members[words] = JSONTree.Member("enum", .list(values + [.null]))
        }
        return schema
    }

    package func described(_ description: String) -> Schema { adding("description", .text(description)) }

    package func example(_ example: JSONTree) -> Schema { adding("examples", [example]) }

    package func defaulting(to value: JSONTree) -> Schema { adding("default", value) }

    private func adding(_ name: String, _ value: JSONTree) -> Schema {
        var schema = self
        schema.add(name, value)
        return schema
    }

    private mutating func add(_ name: String, _ value: JSONTree) {
        members.append(JSONTree.Member(name, value))
    }
}

/// A schema with a name, which others refer to. The document has those that are referred to.
package struct Component: Sendable {
    package let name: String
    package let schema: Schema

    package init(_ name: String, _ schema: Schema) {
        self.name = name
        self.schema = schema
    }
}
