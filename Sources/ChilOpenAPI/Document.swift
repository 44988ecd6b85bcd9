import ChilCore

/// An OpenAPI 3.1 document: https://spec.openapis.org/oas/v3.1.1.html.
package struct Document: Sendable {
    let title: String
    let version: String
    let description: String
    let tags: [(name: String, description: String)]
    let operations: [Operation]
    /// Of no operation: named ones.
    let otherAnswers: [AnswerForm]

    package init(
        title: String,
        version: String,
        description: String,
        tags: [(name: String, description: String)],
        operations: [Operation],
        otherAnswers: [AnswerForm] = []
    ) {
        self.title = title
        self.version = version
        self.description = description
        self.tags = tags
        self.operations = operations
        self.otherAnswers = otherAnswers
    }

    /// The document's bytes: the same for the same operations.
    package var json: [UInt8] {
        var writer = ByteWriter(capacity: 256 << 10)
        tree.write(to: &writer)
        return Array(writer.finish())
    }

    private var tree: JSONTree {
        [
            "openapi": "3.1.1",
            "info": ["title": .text(title), "version": .text(version), "description": .text(description)],
            "servers": [["url": "/"]],
            "tags": .list(tags.map { ["name": .text($0.name), "description": .text($0.description)] }),
            "paths": paths,
            "components": [
                "schemas": schemas,
                "responses": responses,
                "securitySchemes": [
                    "bearer": [
                        "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                        "description": "The accessToken of a sign-in or refresh, for ten minutes.",
                    ]
                ],
            ],
        ]
    }

    /// In the order in which they come first.
    private var paths: JSONTree {
        var order: [String] = []
        var items: [String: [JSONTree.Member]] = [:]
        for operation in operations {
            if items[operation.path] == nil { order.append(operation.path) }
            items[operation.path, default: []].append(JSONTree.Member(operation.method, operation.tree))
        }
        return .object(order.map { JSONTree.Member($0, .object(items[$0] ?? [])) })
    }

    private var namedAnswers: [(name: String, answer: AnswerForm)] {
        var named: [(name: String, answer: AnswerForm)] = []
        for answer in operations.flatMap(\.answers) + otherAnswers {
            guard let name = answer.name, !named.contains(where: { $0.name == name }) else { continue }
            named.append((name, answer))
        }
        return named.sorted { $0.name < $1.name }
    }

    private var responses: JSONTree {
        .object(namedAnswers.map { JSONTree.Member($0.name, $0.answer.tree) })
    }

    private var schemas: JSONTree {
        var components: [Component] = []
        for operation in operations { operation.tree.gather(into: &components) }
        responses.gather(into: &components)
        components.sort { $0.name < $1.name }
        return .object(components.map { JSONTree.Member($0.name, $0.schema.tree) })
    }
}
