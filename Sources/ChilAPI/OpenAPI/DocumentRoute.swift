import ChilCore
import ChilCrypto
import ChilHTTP
import ChilOpenAPI

/// The document as it is sent. Made when it is first asked for, once per process.
struct ServedDocument: Sendable {
    static let shared = ServedDocument()

    let bytes: [UInt8]
    let tag: EntityTag?
    static let maxAge = 300

    private init() {
        bytes = Document.service.json
        tag = EntityTag(Hex.text(of: Array(SHA256.digest(of: bytes).bytes.prefix(8))).utf8)
    }
}

extension APIService {
    /// `GET /openapi.json`
    func openAPI(_ head: RequestHead) -> Response {
        let document = ServedDocument.shared
        var response = Response(.ok, "application/json", .bytes(document.bytes))
        if let tag = document.tag {
            if head.ifNoneMatchNames(tag) { response = Response(.notModified) }
            response.add("ETag", tag.fieldValue)
        }
        response.add("Cache-Control", "public, max-age=\(ServedDocument.maxAge)")
        return response
    }
}

extension RouteDescription {
    static let openAPI = RouteDescription(
        "getOpenAPI",
        .service,
        "This document",
        parameters: [.ifNoneMatch],
        answers: [
            AnswerForm(
                200,
                "The document.",
                [
                    .json(
                        Component("OpenAPIDocument", .object([.required("openapi", .constant("3.1.1"))], isOpen: true))
                    )
                ],
                fields: [.entityTag, .cacheControl("public, max-age=\(ServedDocument.maxAge)")]
            ),
            .notModified(.entityTag, .cacheControl("public, max-age=\(ServedDocument.maxAge)")),
        ]
    )

    static let health = RouteDescription(
        "getHealth",
        .service,
        "Whether the process serves requests",
        answers: [AnswerForm(200, "It does.", [Content("text/plain", .constant("ok"))])]
    )

    static let ready = RouteDescription(
        "getReadiness",
        .service,
        "Whether requests may be sent here",
        answers: [
            AnswerForm(200, "They may.", [Content("text/plain", .constant("ready"))]),
            AnswerForm(503, "Not yet, or no longer.", [Content("text/plain", .constant("not ready"))]),
        ]
    )
}
