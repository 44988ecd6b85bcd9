import ChilCore
import ChilHTTP
import ChilStore

extension APIService {
    /// `GET drawings/{id}/image`, with a bearer token or by the signed URL. A wrong signature, a foreign drawing and none at all
    /// look the same. Whoever may have an image may have it small: the size is in no signature.
    func drawingImage(_ call: Call) async throws -> Response {
        let id: DrawingID = try call.number(1)
        let query = try ImageSignature.query(of: call.head)
        let variant = try ImageVariant(query)
        let size = try ImageSize(query, of: variant)
        let signature = try ImageSignature(query)
        let session = signature == nil ? try await session(call) : nil
        guard let image = try await self.image(variant, of: id, in: call.tenant.id) else { throw Problem.notFound }
        if let signature {
            guard signature.isRight(signedURL, for: id, variant, image.hash, of: call.tenant.id, at: call.now) else {
                throw Problem.notFound
            }
            try await admit(viewerOf: image, call)
            try await count(by: nil, call.tenant, call.admission)
        } else {
            guard session?.user == image.owner else { throw Problem.notFound }
        }
        guard let tag = EntityTag((Hex.text(of: image.hash) + (size == .thumbnail ? "-512" : "")).utf8) else {
            throw Problem.internalError
        }
        if call.head.ifNoneMatchNames(tag) {
            var response = Response(.notModified)
            Self.addImageFields(tag, to: &response)
            return response
        }
        if size == .thumbnail, let small = try await thumbnails.thumbnail(of: image, call.tenant.id) {
            return try await answer(call, tag, small.mediaType, small.bytes.count) { range in
                .pieces(range.cut([small.bytes]))
            }
        }
        // Where there is no small picture the whole one serves, under its own tag.
        guard let tag = EntityTag(Hex.text(of: image.hash).utf8) else { throw Problem.internalError }
        if call.head.method == .get, let address = try await images.store.address(of: image, in: call.tenant.id) {
            var response = Response(.temporaryRedirect)
            response.add("Location", address)
            response.add("Cache-Control", "no-store")
            return response
        }
        return try await answer(call, tag, image.mediaType, Int(image.byteCount)) { range in
            try await images.body(of: image, range, call.tenant.id)
        }
    }

    /// 200, 206 or 416, as the client asks.
    private func answer(
        _ call: Call,
        _ tag: EntityTag,
        _ mediaType: String,
        _ length: Int,
        body: (ByteRange) async throws -> Response.Body
    ) async throws -> Response {
        var range = ByteRange.parse(call.head.field(.range), length: length)
        if call.head.has(.ifRange), !call.head.ifRangeAllows(tag) { range = .whole }
        var response: Response
        switch range {
        case .whole: response = Response(.ok)
        case .unsatisfiable:
            var problem = Problem.rangeNotSatisfiable.response(instance: call.id.text)
            range.contentRange(length: length).map { problem.add("Content-Range", $0) }
            return problem
        case .part: response = Response(.partialContent)
        }
        response.contentType = Self.contentType(of: mediaType)
        Self.addImageFields(tag, to: &response)
        response.add("Accept-Ranges", "bytes")
        range.contentRange(length: length).map { response.add("Content-Range", $0) }
        if call.head.method == .head {
            response.announcedLength = range.count(of: length)
            return response
        }
        response.body = try await body(range)
        return response
    }

    private func image(_ variant: ImageVariant, of id: DrawingID, in tenant: TenantID) async throws -> DrawingImage? {
        switch variant {
        case .shown: try await DrawingImageOne(of: id, in: tenant).first(from: database)
        case .original: try await DrawingOriginalOne(of: id, in: tenant).first(from: database)
        }
    }

    private static func contentType(of mediaType: String) -> StaticString {
        switch mediaType {
        case "image/jpeg": "image/jpeg"
        case "image/gif": "image/gif"
        case "application/pdf": "application/pdf"
        default: "image/png"
        }
    }

    private static func addImageFields(_ tag: EntityTag, to response: inout Response) {
        response.add("ETag", tag.fieldValue)
        response.add("Cache-Control", "private, max-age=3600")
    }
}
