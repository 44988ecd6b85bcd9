import ChilCore
import ChilDatabase
import ChilHTTP
import ChilPrint
import ChilStore

extension APIService {
    /// `POST drawings/print`: 200 once durably accepted.
    func printDrawing(_ call: Call) async throws -> Response {
        let principal = try await principal(call)
        let key = try IdempotencyKey.read(call.head, isGuest: principal.isGuest)
        var fields = FieldReader(try await call.jsonObject())
        let order = PrintOrder(&fields)
        let life = fields.integer("expiresIn", in: PrintJobCreate.lifetimeSeconds)
        try fields.finish()
        let job: PrintJobID = try ids.next(at: call.now)
        let create = PrintJobCreate(
            job,
            of: order.drawings,
            by: principal.user,
            in: principal.tenant,
            on: order.printer,
            scale: order.scale,
            copies: Int32(order.copies),
            paper: order.paper?.rawValue,
            caller: call.caller,
            until: life.map { call.now + .seconds($0) },
            at: call.now,
            isLimited: call.tenant.isLimited(.printJobs) || call.tenant.isLimited(.printedPages)
        )
        let mark = key.map { key in
            var asked = OnceMeaning()
            order.append(to: &asked)
            if let life { asked.append(life) }
            return onceMarks.mark(key, .print, by: principal, asking: asked, at: call.now)
        }
        let cap = try await admitGuestPrint(principal, call)
        let outcome = try await accepted(create, mark, job, principal)
        if let cap, !outcome.isCreated { limiter.giveBack(cap) }
        switch outcome {
        case .first(.created):
            work.workWasQueued()
            liveNews.happened(to: principal.user, in: principal.tenant)
            return Self.accepted(job, .queued)
        case .first(.noDrawing): throw Problem.notFound
        case .first(.noImage(let place)): throw order.noImage(at: place)
        case .first(.moving(let place)): throw order.moving(at: place)
        case .first(.tooLarge): throw order.tooLarge
        case .first(.noPrinter): throw Problem.noPrinter
        case .first(.printerDisabled): throw Problem.printerTakesNone
        case .first(.noConsent(let lack)): throw Problem.consentRequired(lack)
        case .first(.overQuota(let refusal)): throw Problem.quotaExceeded(refusal, at: call.now)
        case .repeated(let made):
            let job = PrintJobID(rawValue: made)
            guard let made = try await PrintJobOne(job, of: principal.user, in: principal.tenant).run(on: database)
            else {
                throw Problem.notFound
            }
            return Self.accepted(job, made.state)
        case .otherBody: throw Problem.idempotencyKeyReused
        case .running: throw Problem.idempotencyKeyRunning
        }
    }

    /// Paper costs: so much and no more for one address without a token. What was taken; `nil`: whoever is signed in has quotas.
    private func admitGuestPrint(_ principal: Principal, _ call: Call) async throws -> AddressKeys? {
        guard principal.isGuest, let guest = call.tenant.guest else { return nil }
        let keys = limiter.keys.guestPrints(from: call.address, of: call.tenant.id)
        let rule = RateRule(quota: guest.printsPerDay, window: Guest.printWindow)
        try await call.admission.admit(keys, .guestPrint, rule, limiter)
        return keys
    }

    private static func accepted(_ job: PrintJobID, _ state: PrintJobState) -> Response {
        var body = ByteWriter(capacity: 96)
        body.append("{\"printJobId\":")
        body.append(decimal: job.rawValue)
        body.append(",\"status\":")
        body.append(json: state.rawValue)
        body.append("}")
        return .json(.ok, &body)
    }

    private func accepted(_ create: PrintJobCreate, _ mark: OnceMark?, _ job: PrintJobID, _ principal: Principal)
        async throws
        -> Once<PrintJobCreate.Outcome>
    {
        let unknown: DatabaseError
        do throws(DatabaseError) {
            guard let mark else { return .first(try await create.answer(from: database)) }
            return try await PrintJobCreateOnce(create, mark).answer(from: database)
        } catch {
            // Whoever holds the key's row did not let go of it in time.
            if mark != nil, error.code == .contended { return .running }
            unknown = error
        }
        // The id was made for this job alone: its row proves that it was accepted.
        guard unknown.code == .outcomeUnknown,
            let made = try await PrintJobOne(job, of: principal.user, in: principal.tenant).run(on: database)
        else { throw unknown }
        return .first(.created(made.printer))
    }
}

extension Once<PrintJobCreate.Outcome> {
    fileprivate var isCreated: Bool {
        if case .first(.created) = self { true } else { false }
    }
}
