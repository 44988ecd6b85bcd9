import ChilCore

@testable import ChilAPI

/// docs/api.md, made from the service's document.
struct APIPage {
    private let contract: Contract

    init(_ contract: Contract) {
        self.contract = contract
    }

    var text: String {
        var lines = Self.introduction
        for tag in contract.document.object?["tags"]?.array ?? [] {
            guard let name = tag.object?["name"]?.string else { continue }
            lines += ["", "## \(name)", "\(tag.object?["description"]?.string ?? "")", ""]
            lines += ["| call | sends | answers | refusals of its own |", "|---|---|---|---|"]
            lines += operations.filter { $0.members["tags"]?.array?.first?.string == name }.map(row)
        }
        lines += ["", "## Refusals", "| code | status |", "|---|---|"]
        for code in Problem.Code.allCases {
            lines.append("| `\(code.rawValue)` | \(code.statuses.map(String.init).joined(separator: ", ")) |")
        }
        lines += ["", "## Objects", "A member in brackets may be left out.", "", "| object | members |", "|---|---|"]
        for component in contract.document.object?["components"]?.object?["schemas"]?.object?.members ?? [] {
            lines.append("| \(component.name) | \(members(of: component.value)) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static let introduction = [
        "# The HTTP interface", "",
        "This page is made from `GET /openapi.json` (OpenAPI 3.1), which says all of this for machines: schemas, limits, headers, examples.",
        "A test holds page, document, router and every answer of the other tests against each other. After a change of the interface:",
        "",
        "```sh", "UPDATE_PAGES=1 scripts/test --filter APIPageTests", "```", "",
        "Beside what stands here, every request may be refused with \(codes(ofAll)); every request of a tenant with \(codes(ofTenants)); every one of a person",
        "with `unauthorized` (401); every JSON body with \(codes(ofJSON)). HEAD answers as GET does, without a body; OPTIONS answers 204 with `Allow`; another method",
        "than there is, `method-not-allowed` (405).", "",
        "`scripts/test --api` tries every call as two people of two tenants, with schemathesis.",
    ]

    private static let ofAll: [Problem.Code] = [.malformedRequest, .internalError]
    private static let ofTenants: [Problem.Code] = [
        .notFound, .tenantSuspended, .tenantUnavailable, .rateLimited, .quotaWindowExceeded, .databaseAway, .overloaded,
        .outcomeUnknown,
    ]
    private static let ofJSON: [Problem.Code] = [
        .malformedJSON, .contentTooLarge, .unsupportedMediaType, .invalidFields,
    ]
    private static let ofMany = Set((ofAll + ofTenants + ofJSON + [.unauthorized]).map(\.rawValue))

    private static func codes(_ codes: [Problem.Code]) -> String {
        codes.map { "`\($0.rawValue)` (\($0.statuses.map(String.init).joined(separator: ", ")))" }.joined(
            separator: ", "
        )
    }

    private var operations: [(call: String, members: JSONObject)] {
        (contract.document.object?["paths"]?.object?.members ?? []).flatMap { path in
            (path.value.object?.members ?? []).compactMap { operation in
                operation.value.object.map { ("\(operation.name.uppercased()) \(path.name)", $0) }
            }
        }
    }

    private func row(_ operation: (call: String, members: JSONObject)) -> String {
        let members = operation.members
        var sent = (members["parameters"]?.array ?? []).compactMap(\.object).filter { $0["in"]?.string != "path" }
            .map { "`\($0["name"]?.string ?? "")`" + ($0["required"]?.bool == true ? "" : "?") }
        sent += contents(members["requestBody"])
        var answers: [String] = []
        var refusals: [String] = []
        for response in members["responses"]?.object?.members ?? [] {
            let reference = response.value.object?["$ref"]?.string
            guard let form = reference.flatMap(contract.check.target) ?? response.value as JSONValue? else { continue }
            let isText = form.object?["content"]?.object?["text/plain"] != nil
            if response.name < "4" || isText {
                answers.append(([response.name] + contents(form)).joined(separator: " "))
            }
            let codes =
                form.object?["description"]?.string?.split(separator: "`", omittingEmptySubsequences: false) ?? []
            guard response.name >= "4" else { continue }
            refusals += codes.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
                .filter { !Self.ofMany.contains($0) }.map { "`\($0)` (\(response.name))" }
        }
        return "| `\(operation.call)`<br>\(members["summary"]?.string ?? "") | \(sent.joined(separator: ", "))"
            + " | \(answers.joined(separator: "; ")) | \(refusals.joined(separator: ", ")) |"
    }

    /// The bodies of a request or an answer: an object's name, or a media type.
    private func contents(_ holder: JSONValue?) -> [String] {
        (holder?.object?["content"]?.object?.members ?? []).map { content in
            guard let schema = content.value.object?["schema"] else { return content.name }
            let name = Self.names(in: schema).joined(separator: " or ")
            if name.isEmpty || content.name == "application/json" { return name.isEmpty ? content.name : name }
            return "\(name) (\(content.name))"
        }
    }

    private static func names(in schema: JSONValue) -> [String] {
        if let reference = schema.object?["$ref"]?.string {
            return [String(reference.split(separator: "/").last ?? "")]
        }
        return (schema.object?["oneOf"]?.array ?? []).flatMap(names)
    }

    private func members(of schema: JSONValue) -> String {
        let required = Set((schema.object?["required"]?.array ?? []).compactMap(\.string))
        return (schema.object?["properties"]?.object?.members ?? []).map { member in
            let text = "`\(member.name)`: \(Self.kind(of: member.value))"
            return required.contains(member.name) ? text : "[\(text)]"
        }.joined(separator: ", ")
    }

    private static func kind(of schema: JSONValue) -> String {
        guard let schema = schema.object else { return "" }
        if let name = names(in: .object(schema)).first { return name }
        if let words = schema["enum"]?.array {
            return words.map { $0.string ?? "null" }.filter { $0 != "null" }.joined(separator: ", ")
        }
        if let value = schema["const"] { return value.string.map { "\"\($0)\"" } ?? "\(value)" }
        if let items = schema["items"] { return "list of \(kind(of: items))" }
        if schema["format"]?.string == "date-time" { return "time" }
        let type = schema["type"]?.string ?? schema["type"]?.array?.first?.string ?? ""
        return ["string": "text", "integer": "number", "boolean": "true or false"][type] ?? type
    }
}
