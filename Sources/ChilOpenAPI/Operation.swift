/// A parameter of a request (OpenAPI 3.1 §4.8.12).
package struct Parameter: Sendable {
    package enum Place: String, Sendable { case path, query, header }

    let name: String
    let place: Place
    let schema: Schema
    let isRequired: Bool
    let description: String

    package init(_ name: String, in place: Place, _ schema: Schema, isRequired: Bool = false, _ description: String) {
        self.name = name
        self.place = place
        self.schema = schema
        self.isRequired = isRequired || place == .path
        self.description = description
    }

    var tree: JSONTree {
        [
            "name": .text(name), "in": .text(place.rawValue), "required": .flag(isRequired),
            "description": .text(description), "schema": schema.tree,
        ]
    }
}

/// A field of an answer.
package struct AnswerField: Sendable {
    let name: String
    let schema: Schema
    let description: String
    /// Whether each such answer has it.
    let isRequired: Bool

    package init(_ name: String, _ schema: Schema, isRequired: Bool = true, _ description: String) {
        self.name = name
        self.schema = schema
        self.description = description
        self.isRequired = isRequired
    }

    fileprivate var tree: JSONTree {
        ["description": .text(description), "required": .flag(isRequired), "schema": schema.tree]
    }
}

/// A body in one form.
package struct Content: Sendable {
    let mediaType: String
    /// `nil`: bytes.
    let schema: Schema?
    /// What the parts of a form are, by name: media types.
    let parts: [(name: String, mediaTypes: String)]

    package init(_ mediaType: String, _ schema: Schema?, parts: [(name: String, mediaTypes: String)] = []) {
        self.mediaType = mediaType
        self.schema = schema
        self.parts = parts
    }

    package static func json(_ schema: Schema) -> Content { Content("application/json", schema) }
    package static func json(_ component: Component) -> Content { json(.reference(component)) }

    fileprivate var member: JSONTree.Member {
        var members: [JSONTree.Member] = []
        if let schema { members.append(JSONTree.Member("schema", schema.tree)) }
        if !parts.isEmpty {
            let encodings = parts.map { JSONTree.Member($0.name, ["contentType": .text($0.mediaTypes)]) }
            members.append(JSONTree.Member("encoding", .object(encodings)))
        }
        return JSONTree.Member(mediaType, .object(members))
    }

    static func tree(_ contents: [Content]) -> JSONTree { .object(contents.map(\.member)) }
}

/// What an operation answers with one status.
package struct AnswerForm: Sendable {
    package let status: Int
    let description: String
    let content: [Content]
    let fields: [AnswerField]
    /// Where the document has it once for all; `nil`: in its place.
    let name: String?

    package init(
        _ status: Int,
        _ description: String,
        _ content: [Content] = [],
        fields: [AnswerField] = [],
        name: String? = nil
    ) {
        self.status = status
        self.description = description
        self.content = content
        self.fields = fields
        self.name = name
    }

    package func adding(_ fields: [AnswerField]) -> AnswerForm {
        AnswerForm(status, description, content, fields: self.fields + fields, name: name)
    }

    var tree: JSONTree {
        var members = [JSONTree.Member("description", .text(description))]
        if !fields.isEmpty {
            members.append(JSONTree.Member("headers", .object(fields.map { JSONTree.Member($0.name, $0.tree) })))
        }
        if !content.isEmpty { members.append(JSONTree.Member("content", Content.tree(content))) }
        return .object(members)
    }
}

/// One method of one path (OpenAPI 3.1 §4.8.10).
package struct Operation: Sendable {
    package enum Security: Sendable { case none, bearer, optionalBearer }

    /// In small letters.
    package let method: String
    package let path: String
    let id: String
    let tag: String
    let summary: String
    let description: String?
    let parameters: [Parameter]
    let body: [Content]
    let isBodyRequired: Bool
    let answers: [AnswerForm]
    let security: Security

    package init(
        method: String,
        path: String,
        id: String,
        tag: String,
        summary: String,
        description: String?,
        parameters: [Parameter],
        body: [Content],
        isBodyRequired: Bool,
        answers: [AnswerForm],
        security: Security
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.tag = tag
        self.summary = summary
        self.description = description
        self.parameters = parameters
        self.body = body
        self.isBodyRequired = isBodyRequired
        self.answers = answers
        self.security = security
    }

    var tree: JSONTree {
        var members = [
            JSONTree.Member("operationId", .text(id)), JSONTree.Member("tags", [.text(tag)]),
            JSONTree.Member("summary", .text(summary)),
        ]
        if let description { members.append(JSONTree.Member("description", .text(description))) }
        switch security {
        case .none: members.append(JSONTree.Member("security", []))
        case .bearer: members.append(JSONTree.Member("security", [["bearer": []]]))
        case .optionalBearer: members.append(JSONTree.Member("security", [["bearer": []], [:]]))
        }
        if !parameters.isEmpty { members.append(JSONTree.Member("parameters", .list(parameters.map(\.tree)))) }
        if !body.isEmpty {
            members.append(
                JSONTree.Member("requestBody", ["required": .flag(isBodyRequired), "content": Content.tree(body)])
            )
        }
        let responses = answers.map { answer in
            JSONTree.Member(
                String(answer.status),
                answer.name.map { ["$ref": .text("#/components/responses/\($0)")] } ?? answer.tree
            )
        }
        members.append(JSONTree.Member("responses", .object(responses)))
        return .object(members)
    }
}
