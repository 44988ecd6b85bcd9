import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilStore

extension APIService {
    /// How long a request waits for its picture before the answer is 202. The first app gives up after 60 s and knows no 202.
    enum MakingPatience {
        static let generation = Duration.seconds(30)
        static let guest = Duration.seconds(55)
        static let motion = Duration.seconds(55)
        /// Without an announcement, a request looks for itself.
        fileprivate static let poll = Duration.seconds(2)
    }

    /// Accepts a job and answers with what comes of it: `ready` within `patience`, a problem if it fails, else 202 with `Location` and the
    /// drawing, PENDING, as the work goes on.
    ///
    /// - Parameters:
    ///   - asked: what the request means, for its Idempotency-Key.
    ///   - ready: writes the body of a 201.
    func make(
        _ draft: ImageJobEnqueue.Draft,
        _ route: Route,
        asking asked: OnceMeaning,
        by principal: Principal,
        _ call: Call,
        patience: Duration,
        ready: (DrawingView, inout ByteWriter) -> Void
    ) async throws -> Response {
        let mark = try IdempotencyKey.read(call.head, isGuest: principal.isGuest).map {
            onceMarks.mark($0, route, by: principal, asking: asked, at: call.now)
        }
        let enqueue = ImageJobEnqueue(
            draft,
            of: principal.user,
            in: principal.tenant,
            requestID: call.id.text,
            at: call.now,
            isLimited: call.tenant.isLimited(.drawings) || call.tenant.isLimited(draft.purpose.metric)
        )
        let drawing: DrawingID
        switch try await accepted(enqueue, mark, draft.id, principal) {
        case .first(.created):
            drawing = draft.id
            work.pictureWasQueued()
            liveNews.happened(to: principal.user, in: principal.tenant)
        case .repeated(let made): drawing = DrawingID(rawValue: made)
        case .first(.noOwner): throw Problem.unauthorized
        case .first(.noDrawing): throw Problem.notFound
        case .first(.noImage): throw Problem.noPictureYet
        case .first(.noEndpoint): throw Problem.noService(for: draft.purpose)
        case .first(.overQuota(let refusal)): throw Problem.quotaExceeded(refusal, at: call.now)
        case .first(.noConsent(let lack)): throw Problem.consentRequired(lack)
        case .otherBody: throw Problem.idempotencyKeyReused
        case .running: throw Problem.idempotencyKeyRunning
        }
        return try await answer(drawing, draft.purpose, principal, call, patience, ready)
    }

    private func answer(
        _ drawing: DrawingID,
        _ purpose: ImagePurpose,
        _ principal: Principal,
        _ call: Call,
        _ patience: Duration,
        _ ready: (DrawingView, inout ByteWriter) -> Void
    ) async throws -> Response {
        let preference = Preference(call.head)
        let wait = preference.isAsync ? .zero : min(patience, preference.wait.map { .seconds($0) } ?? patience)
        let look = try await outcome(of: drawing, principal, within: wait)
        if look.state == .failed { throw try await notMade(look.fault, purpose, principal) }
        guard let view = try await DrawingOne(drawing, of: principal.user, in: principal.tenant).first(from: database)
        else {
            throw Problem.notFound
        }
        var body = ByteWriter(capacity: 768)
        var response: Response
        if look.state == .ready {
            ready(view, &body)
            response = .json(.created, &body)
        } else {
            drawingJSON(call).append(view, to: &body)
            response = .json(.accepted, &body)
            response.add("Retry-After", "\(Self.retryAfter)")
        }
        response.add("Location", "\(call.tenant.drawingsBase)\(drawing.rawValue)")
        if preference.isAsync {
            response.add("Preference-Applied", "respond-async")
        } else if let wait = preference.wait {
            response.add("Preference-Applied", "wait=\(wait)")
        }
        return response
    }

    /// Where consent was missing, which one: the guardian is asked for what is missing now.
    private func notMade(_ fault: String?, _ purpose: ImagePurpose, _ principal: Principal) async throws -> Problem {
        if fault == MakingFault.noConsent.rawValue {
            let look = ImageConsentLack(for: purpose, of: principal.user, in: principal.tenant)
            if let lack = try await look.first(from: database) ?? nil { return .consentRequired(lack) }
        }
        return .notMade(fault, purpose)
    }

    /// What became of a job, or how far it is when `patience` ends, the server stops or too many wait already.
    private func outcome(of drawing: DrawingID, _ principal: Principal, within patience: Duration) async throws
        -> ImageJobLook.Row
    {
        let look = ImageJobLook(drawing, of: principal.user, in: principal.tenant)
        let place = DrawingBells.Place(tenant: principal.tenant, drawing: drawing)
        // Before the first look, so that no announcement is missed between the two.
        let bell = shared.drawings.open(place)
        defer { shared.drawings.close(bell, place) }
        let mayWait = patience > .zero && pictureRoom.take(for: principal.tenant)
        defer { if mayWait { pictureRoom.giveBack(of: principal.tenant) } }
        let deadline = loop.monotonicNow + patience.nanoseconds
        while true {
            guard let row = try await look.first(from: database) else { throw Problem.notFound }
            let left = deadline - loop.monotonicNow
            guard mayWait, row.state == .queued || row.state == .running, left > 0, !isStopping else { return row }
            let timer = loop.after(min(.nanoseconds(left), MakingPatience.poll)) { bell.ring() }
            await bell.wait()
            loop.cancel(timer)
        }
    }

    private func accepted(_ enqueue: ImageJobEnqueue, _ mark: OnceMark?, _ id: DrawingID, _ principal: Principal)
        async throws
        -> Once<ImageJobEnqueue.Outcome>
    {
        let unknown: DatabaseError
        do throws(DatabaseError) {
            guard let mark else { return .first(try await enqueue.answer(from: database)) }
            return try await ImageJobEnqueueOnce(enqueue, mark).answer(from: database)
        } catch {
            // Whoever holds the key's row did not let go of it in time.
            if mark != nil, error.code == .contended { return .running }
            unknown = error
        }
        // The id was made for this job alone: its row proves that it was accepted.
        let exists = DrawingExists(id, of: principal.user, in: principal.tenant)
        guard unknown.code == .outcomeUnknown, try await exists.first(from: database) == true else { throw unknown }
        return .first(.created)
    }

    /// Seconds: when to look for a drawing that is being made.
    private static let retryAfter = 5
}
