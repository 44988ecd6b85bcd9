import ChilCore
import ChilDatabase
import ChilHTTP
import ChilStore

/// The scan inbox: pages are stored and answered at once, a worker makes drawings of them (`ScanCarrier`).
extension APIService {
    /// How long a printed page may be on its way.
    static let scanSessionLife = Duration.seconds(7 * 86_400)

    /// `POST scan/{token}`. An address that is wrong, used or over looks like none at all, before a byte of the body is read.
    func receiveScan(_ call: Call) async throws -> Response {
        guard let token = call.captures.text(1, of: call.head).flatMap({ ScanToken(text: $0) }) else {
            throw Problem.notFound
        }
        let digest = token.digest
        let opened = try await ScanDoorOpen(digest, of: call.tenant.id, at: call.now).first(from: database)
        guard let door = opened else { throw Problem.notFound }
        // A scanner is counted as a user is: its number is no user's.
        let counted = UserID(rawValue: door.scanner?.rawValue ?? door.owner.rawValue)
        try await call.admission.admit(counted, of: call.tenant.id, limiter)
        try await count(by: nil, call.tenant, call.admission)
        do {
            return try await receive(try await ScanPush.read(call), through: door, digest, call)
        } catch let problem as Problem {
            try await note(problem, through: door, call)
            throw problem
        }
    }

    private func receive(_ push: ScanPush, through door: ScanDoor, _ digest: [UInt8], _ call: Call) async throws
        -> Response
    {
        if let serial = door.serial, push.pages.contains(where: { $0.key != serial }) { throw Problem.notFound }
        let digest = (door: digest, push: push.digest)
        var (received, repeated) = (0, 0)
        for page in push.pages {
            switch try await keep(page, through: door, digest, call) {
            case .received: received += 1
            case .repeated: repeated += 1
            case .noDoor, .noOwner: throw Problem.notFound
            case .unstaged: throw Problem.databaseAway
            case .full: throw Problem.overloaded
            case .noConsent(let lack): throw Problem.consentRequired(lack)
            }
        }
        if received > 0 { work.pageWasQueued() }
        var body = ByteWriter(capacity: 64)
        body.append("{\"received\":")
        body.append(decimal: received)
        body.append(",\"repeated\":")
        body.append(decimal: repeated)
        body.append("}")
        return .json(.ok, &body)
    }

    private func keep(
        _ page: ScanPush.Page,
        through door: ScanDoor,
        _ digest: (door: [UInt8], push: [UInt8]),
        _ call: Call
    ) async throws -> ScanReceive.Outcome {
        if call.tenant.isLimited(.drawings) || call.tenant.isLimited(.storageBytes) {
            let room = StagingRoom(for: page.facts, of: door.owner, in: call.tenant.id, at: call.now)
            if let full = try await room.first(from: database) { throw Problem.quotaExceeded(full, at: call.now) }
        }
        let isBrought = images.store.createBrings(page.facts)
        if !isBrought {
            try await images.store.stage(
                page.content,
                page.facts,
                as: try ids.next(at: call.now),
                of: door.owner,
                in: call.tenant.id,
                until: call.now + ImageStaging.lease
            )
        }
        return try await ScanReceive(
            try ids.next(at: call.now),
            push: digest.push,
            through: door,
            digest.door,
            of: call.tenant.id,
            showing: page.facts,
            bytes: isBrought ? page.content : nil,
            requestID: call.id.text,
            at: call.now
        ).answer(from: database)
    }

    /// A page that is not kept is in the audit, by its problem's code. What passes by itself is not: the scanner comes again.
    private func note(_ problem: Problem, through door: ScanDoor, _ call: Call) async throws {
        guard problem.status.rawValue < 500, problem.code != .rateLimited else { return }
        try await ScanRefuse(
            through: door,
            of: call.tenant.id,
            because: problem.code.rawValue,
            requestID: call.id.text,
            at: call.now
        ).touched(on: database)
    }

    /// `POST drawings/{id}/scan-session`: an address for one push, of the page that was printed of this drawing.
    func openScanSession(_ call: Call) async throws -> Response {
        let session = try await session(call)
        let drawing: DrawingID = try call.number(1)
        let key = try IdempotencyKey.read(call.head)
        let ofKey = key.flatMap { ScanToken(bytes: onceMarks.secret($0, .scanSession, by: session.principal)) }
        let token = try ofKey ?? ScanToken()
        let create = ScanSessionCreate(
            token.digest,
            for: drawing,
            of: session.user,
            in: session.tenant,
            at: call.now,
            until: call.now + Self.scanSessionLife
        )
        let expires: Timestamp
        switch try await create.answer(from: database) {
        case .opened(let end): expires = end
        case .noDrawing: throw Problem.notFound
        case .otherDrawing: throw Problem.idempotencyKeyReused
        }
        var body = ByteWriter(capacity: 256)
        body.append("{\"url\":")
        body.append(json: token.url(under: call.tenant.base))
        body.append(",\"expiresAt\":\"")
        body.append(rfc3339: expires)
        body.append("\"}")
        return .json(.created, &body)
    }
}
