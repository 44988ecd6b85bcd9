import ChilCore
import ChilCrypto
import ChilDatabase
import ChilHTTP
import ChilMedia
import ChilStore

/// `POST drawings`: image bytes, or a form with `image`, `type` and `title`.
struct DrawingUpload {
    static let imageBytesMax = 20 << 20
    /// What a form may have around its image.
    private static let formBytesMax = 64 << 10
    /// Work on more bytes than this leaves the loop.
    private static let bytesOnLoopMax = 1 << 20
    /// How long the key of an upload waits for a process that may be gone. The bytes are here: only PostgreSQL has to take them.
    private static let onceLease = Duration.seconds(60)
    static let titleRule = TextRule(bytesMax: 400)

    let type: DrawingType
    let title: String?
    /// Without what is not the picture (`ImageCleaner`).
    let image: [UInt8]
    let facts: ChilStore.ImageFacts

    /// Reads and judges the body.
    static func read(_ call: Call) async throws(Problem) -> DrawingUpload {
        let mediaType = call.head.mediaType
        let isForm = mediaType?.essence == "multipart/form-data"
        guard
            isForm || mediaType?.essence.hasPrefix("image/") == true || mediaType?.essence == "application/octet-stream"
        else {
            throw .unsupportedMediaType("a PNG or JPEG as the body, or multipart/form-data with a part named image")
        }
        let bytesMax = isForm ? imageBytesMax + formBytesMax : imageBytesMax
        var body: [UInt8]
        do {
            body = try await call.exchange.body(atMost: bytesMax)
        } catch {
            throw .rejected(error, bytesMax: imageBytesMax)
        }
        var type = DrawingType.uploaded
        var title: String?
        if isForm {
            guard let boundary = mediaType?.boundary else {
                throw .malformedRequest("Name the boundary of the form in Content-Type.")
            }
            // A body of line ends alone, or of half boundaries, takes the parser long.
            let whole = body
            let read =
                whole.count > bytesOnLoopMax
                ? await OffLoop.run { Result { () throws(Problem) in try form(whole, boundary) } }
                : Result { () throws(Problem) in try form(whole, boundary) }
            (body, type, title) = try read.get()
        }
        let (image, facts) = try await judged(body)
        return DrawingUpload(type: type, title: title, image: image, facts: facts)
    }

    private static func form(_ body: [UInt8], _ boundary: [UInt8]) throws(Problem) -> ([UInt8], DrawingType, String?) {
        let form: MultipartForm
        do {
            form = try MultipartForm(body, boundary: boundary)
        } catch {
            throw .rejected(error)
        }
        var faults: [Problem.FieldFault] = []
        for part in form.parts where !["image", "type", "title"].contains(part.head.name) {
            faults.append(
                Problem.FieldFault(
                    pointer: "/\(part.head.name.prefix(64))",
                    detail: "There is no such part: leave it out."
                )
            )
        }
        func text(_ name: String) -> String? {
            guard let part = form[name] else { return nil }
            guard let text = String(validating: body[part.content], as: UTF8.self) else {
                faults.append(Problem.FieldFault(pointer: "/\(name)", detail: "Send UTF-8."))
                return nil
            }
            return text
        }
        var type = DrawingType.uploaded
        if let word = text("type") {
            if let known = DrawingType(rawValue: word), known == .uploaded || known == .scanned {
                type = known
            } else {
                faults.append(Problem.FieldFault(pointer: "/type", detail: "Send one of: SCANNED, UPLOADED."))
            }
        }
        let title = text("title")
        if let title, let fault = titleRule.fault(in: title) {
            faults.append(Problem.FieldFault(pointer: "/title", detail: "\(fault)"))
        }
        guard let image = form["image"] else {
            throw .invalidFields(faults + [Problem.FieldFault(pointer: "/image", detail: "This part is required.")])
        }
        guard faults.isEmpty else { throw .invalidFields(faults) }
        return (Array(body[image.content]), type, title)
    }

    /// The picture as it is kept, and what it is.
    private static func judged(_ image: [UInt8]) async throws(Problem) -> ([UInt8], ChilStore.ImageFacts) {
        if image.count > imageBytesMax { throw .contentTooLarge(imageBytesMax) }
        let verdict =
            image.count > bytesOnLoopMax ? await OffLoop.run { judge(image) } : judge(image)
        switch verdict {
        case .success(let judged): return judged
        case .failure(let fault): throw .invalidImage(fault.sentence)
        }
    }

    private static func judge(_ sent: [UInt8]) -> Result<([UInt8], ChilStore.ImageFacts), ImageFault> {
        do {
            let facts = try ImageProbe.facts(of: sent)
            let image = try ImageCleaner.cleaned(sent, facts)
            let stored = ChilStore.ImageFacts(
                hash: SHA256.digest(of: image).bytes,
                byteCount: Int64(image.count),
                mediaType: facts.mediaType.rawValue,
                width: Int32(facts.displayWidth),
                height: Int32(facts.displayHeight)
            )
            return .success((image, stored))
        } catch {
            return .failure(error)
        }
    }

    /// What tells it from another upload: the picture and what is said of it.
    var meaning: OnceMeaning {
        var meaning = OnceMeaning()
        meaning.append(facts.hash)
        meaning.append(type.rawValue)
        meaning.append(title)
        return meaning
    }

    /// Stores it: in one batch if it fits into one row, else chunk by chunk first.
    ///
    /// - Parameters:
    ///   - mark: of a request with a key.
    ///   - object: what the bytes may be in the object store; `nil`: the create brings them.
    func store(
        _ draft: DrawingCreate.Draft,
        _ mark: OnceMark?,
        as object: ImageObjectID?,
        for session: Session,
        _ call: Call,
        on database: DatabaseClient,
        _ images: ImageStore
    ) async throws -> Once<DrawingCreate.Outcome> {
        let asksConsent = call.tenant.consentPolicy.asks(for: .collect)
        let create = DrawingCreate(
            draft,
            of: session.user,
            in: session.tenant,
            showing: facts,
            bytes: object == nil ? image : nil,
            requestID: call.id.text,
            at: call.now,
            isLimited: isLimited(call),
            asksConsent: asksConsent
        )
        // What is staged and then refused would lie there until its lease ends.
        if object != nil, asksConsent {
            let isMissing = ConsentMissing(.collect, of: session.user, in: session.tenant)
            if try await isMissing.answer(from: database) {
                return .first(.noConsent(ConsentLack(scope: .collect, notice: call.tenant.consentPolicy.notice)))
            }
        }
        if let object,
            let early = try await prepare(draft, mark, as: object, for: session, call, on: database, images)
        {
            return early
        }
        let unknown: DatabaseError
        do throws(DatabaseError) {
            let tell = call.tenant.wants(.drawingCreated) ? DrawingCreatedTell(create) : nil
            if let mark { return try await DrawingCreateOnce(create, mark).answer(from: database, then: tell) }
            guard let tell else { return .first(try await create.answer(from: database)) }
            return .first(try await create.answer(from: database, then: tell))
        } catch {
            // Whoever holds the key's row did not let go of it in time. A large image has the key by now: nothing else runs.
            if mark != nil, object == nil, error.code == .contended { return .running }
            unknown = error
        }
        guard unknown.code == .outcomeUnknown else {
            // It did not happen, and the next with the key shall not wait for it. If this fails too the lease ends it.
            if object != nil { try? await forget(draft, mark, for: session, on: database) }
            throw unknown
        }
        // The id was made for this create alone: its row proves that it happened.
        let exists = DrawingExists(draft.id, of: session.user, in: session.tenant)
        guard try await exists.first(from: database) == true else { throw unknown }
        return .first(.created)
    }

    private func isLimited(_ call: Call) -> Bool {
        call.tenant.isLimited(.drawings) || call.tenant.isLimited(.storageBytes)
    }

    /// What comes before the create of a large image: its key's lease, then the bytes. An outcome: there is nothing to create.
    private func prepare(
        _ draft: DrawingCreate.Draft,
        _ mark: OnceMark?,
        as object: ImageObjectID,
        for session: Session,
        _ call: Call,
        on database: DatabaseClient,
        _ images: ImageStore
    ) async throws -> Once<DrawingCreate.Outcome>? {
        if let mark {
            let begin = OnceBegin(
                mark,
                by: session.user,
                in: session.tenant,
                making: draft.id,
                until: call.now + Self.onceLease,
                at: call.now
            )
            switch try await begin.answer(from: database) {
            case .first: break
            case .repeated(let drawing): return .repeated(drawing)
            case .otherBody: return .otherBody
            case .running: return .running
            }
        }
        do {
            var full: QuotaRefusal?
            if isLimited(call) {
                let room = StagingRoom(for: facts, of: session.user, in: session.tenant, at: call.now)
                full = try await room.first(from: database)
            }
            if full == nil {
                try await images.stage(
                    image,
                    facts,
                    as: object,
                    of: session.user,
                    in: session.tenant,
                    until: call.now + ImageStaging.lease
                )
                return nil
            }
            try await forget(draft, mark, for: session, on: database)
            return full.map { .first(.overQuota($0)) }
        } catch {
            // If this fails too the lease ends it.
            try? await forget(draft, mark, for: session, on: database)
            throw error
        }
    }

    private func forget(
        _ draft: DrawingCreate.Draft,
        _ mark: OnceMark?,
        for session: Session,
        on database: DatabaseClient
    )
        async throws
    {
        guard let mark else { return }
        try await OnceForget(mark, by: session.user, in: session.tenant, making: draft.id).touched(on: database)
    }
}
