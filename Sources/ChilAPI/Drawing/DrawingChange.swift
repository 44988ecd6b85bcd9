import ChilCore
import ChilHTTP
import ChilStore

extension APIService {
    /// `PATCH drawings/{id}`: a merge patch (RFC 7396) of the title, of exactly what the caller has seen (RFC 6585 §3).
    func changeDrawing(_ call: Call) async throws -> Response {
        let session = try await session(call)
        let id: DrawingID = try call.number(1)
        var fields = FieldReader(try await call.jsonObject(or: "application/merge-patch+json"))
        let change = fields.change("title", DrawingUpload.titleRule)
        try fields.finish()
        guard call.head.has(.ifMatch) else { throw Problem.preconditionRequired }
        guard let seen = try await DrawingOne(id, of: session.user, in: session.tenant).first(from: database) else {
            throw Problem.notFound
        }
        guard call.head.ifMatchAllows(seen.tag) else { throw Problem.preconditionFailed }
        let title: String?
        switch change {
        case .keep: return response(seen, call)
        case .remove: title = nil
        case .set(let text): title = text
        }
        let rename = DrawingRename(
            id,
            of: session.user,
            in: session.tenant,
            to: title,
            seen: seen.updatedAt,
            at: call.now
        )
        guard let changed = try await rename.first(from: database) else { throw Problem.preconditionFailed }
        liveNews.happened(to: session.user, in: session.tenant)
        return response(changed, call)
    }

    /// One drawing, with a tag of its state for `If-Match`. The tag does not name the `url` in it, which is another each hour: there is no 304.
    func response(_ drawing: DrawingView, _ call: Call) -> Response {
        var body = ByteWriter(capacity: 768)
        drawingJSON(call).append(drawing, to: &body)
        var response = Response.json(.ok, &body)
        response.add("ETag", drawing.tag.fieldValue)
        return response
    }
}

extension DrawingView {
    var tag: EntityTag { EntityTag(id.rawValue, version: updatedAt.microseconds) }
}
