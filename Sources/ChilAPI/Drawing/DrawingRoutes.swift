import ChilCore
import ChilHTTP
import ChilStore

extension APIService {
    func drawingJSON(_ call: Call) -> DrawingJSON {
        DrawingJSON(
            signedURL: signedURL,
            base: call.tenant.drawingsBase,
            tenant: call.tenant.id,
            expiry: SignedURL.expiry(at: call.now)
        )
    }

    /// `POST drawings`
    func uploadDrawing(_ call: Call) async throws -> Response {
        let session = try await session(call)
        let key = try IdempotencyKey.read(call.head)
        let upload = try await DrawingUpload.read(call)
        let draft = DrawingCreate.Draft(
            id: try ids.next(at: call.now),
            type: upload.type,
            title: upload.title,
            prompt: nil
        )
        let mark = key.map {
            onceMarks.mark($0, .uploadDrawing, by: session.principal, asking: upload.meaning, at: call.now)
        }
        let object: ImageObjectID? = images.store.createBrings(upload.facts) ? nil : try ids.next(at: call.now)
        switch try await upload.store(draft, mark, as: object, for: session, call, on: database, images.store) {
        case .first(.created): liveNews.happened(to: session.user, in: session.tenant)
        case .first(.overQuota(let refusal)): throw Problem.quotaExceeded(refusal, at: call.now)
        case .first(.unstaged): throw Problem.databaseAway
        case .first(.noOwner): throw Problem.unauthorized
        case .repeated(let made): return try await createdBefore(DrawingID(rawValue: made), session, call)
        case .otherBody: throw Problem.idempotencyKeyReused
        case .running: throw Problem.idempotencyKeyRunning
        case .first(.noConsent(let lack)): throw Problem.consentRequired(lack)
        }
        var body = ByteWriter(capacity: 768)
        withBytes(upload.type.rawValue, upload.title, upload.facts.mediaType) { type, title, mediaType in
            upload.facts.hash.withUnsafeBytes { hash in
                let fields = DrawingJSON.Fields(
                    id: draft.id,
                    type: type,
                    status: Self.readyStatus,
                    title: title,
                    prompt: nil,
                    hash: hash,
                    width: upload.facts.width,
                    height: upload.facts.height,
                    mediaType: mediaType,
                    byteCount: upload.facts.byteCount,
                    createdAt: call.now,
                    updatedAt: call.now
                )
                drawingJSON(call).append(fields, to: &body)
            }
        }
        var response = Response.json(.created, &body)
        response.add("Location", "\(call.tenant.drawingsBase)\(draft.id.rawValue)")
        return response
    }

    /// The answer to an upload that happened before, of what the drawing is now; 404: it was deleted since.
    private func createdBefore(_ id: DrawingID, _ session: Session, _ call: Call) async throws -> Response {
        guard let drawing = try await DrawingOne(id, of: session.user, in: session.tenant).first(from: database) else {
            throw Problem.notFound
        }
        var body = ByteWriter(capacity: 768)
        drawingJSON(call).append(drawing, to: &body)
        var response = Response.json(.created, &body)
        response.add("Location", "\(call.tenant.drawingsBase)\(id.rawValue)")
        return response
    }

    /// `GET drawings`
    func listDrawings(_ call: Call) async throws -> Response {
        let principal = try await principal(call)
        let list = try DrawingList(call, principal, cursor)
        let request = DrawingPageRequest(
            of: principal.user,
            in: principal.tenant,
            type: list.type,
            place: list.place,
            count: list.limit
        )
        let page = try await request.run(on: database)
        let json = drawingJSON(call)
        try page.forEachID(json.expect)
        var body = ByteWriter(capacity: 256 + page.count * json.usualByteCount)
        body.append("{")
        if let type = list.type {
            body.append("\"type\":\"")
            body.append(unescaped: type.rawValue)
            body.append("\",")
        }
        body.append("\"data\":[")
        var last: DrawingID?
        for index in 0..<page.count {
            if index > 0 { body.append(",") }
            let drawing = try page.drawing(index)
            json.append(drawing, to: &body)
            last = drawing.id
        }
        body.append("]")
        if let number = list.page {
            body.append(",\"page\":")
            body.append(decimal: Int64(number))
        }
        body.append(",\"hasMore\":")
        body.append(json: page.hasMore)
        if page.hasMore, let last {
            body.append(",\"nextCursor\":\"")
            body.append(unescaped: cursor.text(after: last, of: principal.user, in: principal.tenant, type: list.type))
            body.append("\"")
        }
        body.append("}")
        return .json(.ok, &body)
    }

    /// `GET drawings/{id}`
    func drawing(_ call: Call) async throws -> Response {
        let session = try await session(call)
        let id: DrawingID = try call.number(1)
        guard let drawing = try await DrawingOne(id, of: session.user, in: session.tenant).first(from: database) else {
            throw Problem.notFound
        }
        return response(drawing, call)
    }

    /// `DELETE drawings/{id}`
    func deleteDrawing(_ call: Call) async throws -> Response {
        let session = try await session(call)
        let id: DrawingID = try call.number(1)
        let delete = DrawingDelete(
            id,
            of: session.user,
            in: session.tenant,
            note: UserNote(audit: try ids.next(at: call.now), requestID: call.id.text, at: call.now),
            isLimited: call.tenant.isLimited(.drawings) || call.tenant.isLimited(.storageBytes),
            isTold: call.tenant.wants(.drawingDeleted)
        )
        guard try await delete.answer(from: database) else { throw Problem.notFound }
        liveNews.happened(to: session.user, in: session.tenant)
        return Response(.noContent)
    }

    private static var readyStatus: UnsafeRawBufferPointer {
        let word: StaticString = "READY"
        return UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    }

    private func withBytes(
        _ first: String,
        _ second: String?,
        _ third: String,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer?, UnsafeRawBufferPointer) -> Void
    ) {
        let (first, third) = (Array(first.utf8), Array(third.utf8))
        first.withUnsafeBytes { first in
            third.withUnsafeBytes { third in
                guard let second else { return body(first, nil, third) }
                Array(second.utf8).withUnsafeBytes { body(first, $0, third) }
            }
        }
    }
}
