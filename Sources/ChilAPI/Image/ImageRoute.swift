import ChilCore
import ChilHTTP
import ChilStore

extension APIService {
    /// `GET drawings/{id}/image`, with a bearer token or by the signed URL. A wrong signature, a foreign drawing and none at all
    /// look the same.
    func drawingImage(_ call: Call) async throws -> Response {
        let id: DrawingID = try call.number(1)
        let signature = try ImageSignature(call.head)
        let session = signature == nil ? try await session(call) : nil
        guard let image = try await DrawingImageOne(of: id, in: call.tenant.id).first(from: database) else {
            throw Problem.notFound
        }
        if let signature {
            guard signature.isRight(signedURL, for: id, image.hash, of: call.tenant.id, at: call.now) else {
                throw Problem.notFound
            }
        } else {
            guard session?.user == image.owner else { throw Problem.notFound }
        }
        guard let tag = EntityTag(Hex.text(of: image.hash).utf8) else { throw Problem.internalError }
        if call.head.ifNoneMatchNames(tag) {
            var response = Response(.notModified)
            Self.addImageFields(tag, to: &response)
            return response
        }
        let length = Int(image.byteCount)
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
        response.contentType = image.mediaType == "image/jpeg" ? "image/jpeg" : "image/png"
        Self.addImageFields(tag, to: &response)
        response.add("Accept-Ranges", "bytes")
        range.contentRange(length: length).map { response.add("Content-Range", $0) }
        if call.head.method == .head {
            response.announcedLength = range.count(of: length)
            return response
        }
        response.body = try await images.body(of: image, range, call.tenant.id)
        return response
    }

    private static func addImageFields(_ tag: EntityTag, to response: inout Response) {
        response.add("ETag", tag.fieldValue)
        response.add("Cache-Control", "private, max-age=3600")
    }
}
