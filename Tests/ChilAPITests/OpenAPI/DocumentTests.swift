import ChilCore
import ChilHTTP
import ChilOpenAPI
import Testing

@testable import ChilAPI

/// The document by itself, and against the router.
@Suite struct DocumentTests {
    private let contract = Contract.current

    /// Each operation of the document, with the path and the method.
    private var operations: [(path: String, method: String, members: JSONObject)] {
        (contract.document.object?["paths"]?.object?.members ?? []).flatMap { path in
            (path.value.object?.members ?? []).compactMap { operation in
                operation.value.object.map { (path.name, operation.name, $0) }
            }
        }
    }

    @Test func everyRouteIsInTheDocument() {
        for route in Route.allCases { #expect(contract.operation(of: route) != nil, "\(route.pattern)") }
    }

    @Test func everyOperationIsARoute() {
        let patterns = Set(Route.allCases.map { "\($0.pattern)" })
        for operation in operations {
            #expect(patterns.contains("\(operation.method.uppercased()) \(operation.path)"))
        }
        #expect(operations.count == Route.allCases.count)
    }

    @Test func everyOperationHasANameOfItsOwn() {
        let names = operations.compactMap { $0.members["operationId"]?.string }
        #expect(names.count == operations.count && Set(names).count == names.count)
    }

    /// Others add to these: a provider, a form by RFC 6749 §3.2, and OpenAPI to its own document.
    private static let open: Set = [
        "ProviderNotification", "TokenForm", "CallbackForm", "ScanForm", "EpsonNotice", "OpenAPIDocument",
    ]

    @Test func everyObjectOfOursIsClosed() throws {
        for component in try components() {
            try expectClosed(component.value, component.name, mayBeOpen: Self.open.contains(component.name))
        }
        for operation in operations {
            try expectClosed(.object(operation.members), operation.path, mayBeOpen: false)
        }
    }

    private func expectClosed(_ value: JSONValue, _ name: String, mayBeOpen: Bool) throws {
        for array in value.array ?? [] { try expectClosed(array, name, mayBeOpen: mayBeOpen) }
        guard let object = value.object else { return }
        if object["type"]?.string == "object" {
            #expect(object["additionalProperties"]?.bool == mayBeOpen, "\(name)")
        }
        for member in object.members { try expectClosed(member.value, name, mayBeOpen: mayBeOpen) }
    }

    @Test func everyReferenceLeadsSomewhere() throws {
        for reference in Self.references(in: contract.document) {
            #expect(contract.check.target(of: reference) != nil, "\(reference)")
        }
    }

    private static func references(in value: JSONValue) -> [String] {
        if let values = value.array { return values.flatMap(references) }
        guard let object = value.object else { return [] }
        return object.members.flatMap { member in
            member.name == "$ref" ? [member.value.string ?? ""] : references(in: member.value)
        }
    }

    @Test func everyExampleFitsItsSchema() {
        var count = 0
        func look(_ value: JSONValue, _ place: String) {
            for element in value.array ?? [] { look(element, place) }
            guard let object = value.object else { return }
            for example in object["examples"]?.array ?? [] {
                #expect(contract.check.faults(of: example, by: value).isEmpty, "\(place)")
                count += 1
            }
            for member in object.members { look(member.value, "\(place)/\(member.name)") }
        }
        look(contract.document, "")
        #expect(count > 10)
    }

    /// What any request may be refused for, and what any route of a tenant may.
    @Test(arguments: Route.allCases)
    func everyRouteSaysHowItRefuses(_ route: Route) throws {
        let responses = try #require(contract.operation(of: route)?["responses"]?.object)
        var statuses: Set = ["400", "414", "417", "431", "501", "505"]
        if route.rateClass != nil { statuses.formUnion(["429", "500", "503"]) }
        if "\(route.pattern)".contains("{tenant}") { statuses.insert("404") }
        if route.needsSession, route != .logout, route != .scan { statuses.insert("401") }
        #expect(statuses.isSubset(of: Set(responses.members.map(\.name))), "\(route)")
        #expect(responses.members.contains { $0.name.hasPrefix("2") || $0.name.hasPrefix("3") })
    }

    /// A code that no route is said to answer is one that somebody forgot.
    @Test func everyCodeIsSomebodys() throws {
        let refusals = try #require(contract.check.target(of: "#/components/responses")?.object)
        var text = refusals.members.map(\.name).joined(separator: " ")
        for operation in operations { text += "\(operation.members)" }
        for code in Problem.Code.allCases { #expect(text.contains(code.rawValue), "\(code.rawValue)") }
    }

    @Test func theDocumentIsTheSameEachTime() {
        #expect(Document.service.json == Document.service.json)
        #expect(Document.service.json == ServedDocument.shared.bytes)
    }

    private func components() throws -> [JSONObject.Member] {
        try #require(contract.document.object?["components"]?.object?["schemas"]?.object).members
    }
}
