package import ChilCore

/// JSON as it is written: members in their order, and references to components, which the document gathers.
package indirect enum JSONTree: Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case null
    case list([JSONTree])
    case object([Member])
    /// The text `#/components/schemas/NAME`.
    case reference(Component)

    package struct Member: Sendable {
        package let name: String
        package let value: JSONTree

        package init(_ name: String, _ value: JSONTree) {
            self.name = name
            self.value = value
        }
    }

    package func write(to json: inout ByteWriter) {
        switch self {
        case .text(let text): json.append(json: text)
        case .number(let number): json.append(decimal: number)
        case .flag(let flag): json.append(json: flag)
        case .null: json.appendNull()
        case .list(let values):
            json.append("[")
            for (index, value) in values.enumerated() {
                if index > 0 { json.append(",") }
                value.write(to: &json)
            }
            json.append("]")
        case .object(let members):
            json.append("{")
            for (index, member) in members.enumerated() {
                if index > 0 { json.append(",") }
                json.append(json: member.name)
                json.append(":")
                member.value.write(to: &json)
            }
            json.append("}")
        case .reference(let component): json.append(json: "#/components/schemas/\(component.name)")
        }
    }

    /// Components that stand in it, in the order of their first sight, those within them behind them.
    func gather(into components: inout [Component]) {
        switch self {
        case .text, .number, .flag, .null: break
        case .list(let values): for value in values { value.gather(into: &components) }
        case .object(let members): for member in members { member.value.gather(into: &components) }
        case .reference(let component):
            guard !components.contains(where: { $0.name == component.name }) else { return }
            components.append(component)
            component.schema.tree.gather(into: &components)
        }
    }
}

extension JSONTree: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral number: Int64) { self = .number(number) }
    package init(booleanLiteral flag: Bool) { self = .flag(flag) }
    package init(arrayLiteral values: JSONTree...) { self = .list(values) }
    package init(dictionaryLiteral members: (String, JSONTree)...) {
        self = .object(members.map { Member($0.0, $0.1) })
    }
}
