import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilPrint
import ChilStore

extension APIService {
    /// `GET printers`
    func listPrinters(_ call: Call) async throws -> Response {
        let session = try await session(call)
        let printers = try await PrinterViews(of: session.tenant).rows(from: database).filter { $0.state != .removed }
        var body = ByteWriter(capacity: 64 + printers.count * 256)
        body.append("{\"data\":[")
        for (index, printer) in printers.enumerated() {
            if index > 0 { body.append(",") }
            PrinterJSON.append(printer, to: &body)
        }
        body.append("]}")
        return .json(.ok, &body)
    }

    /// `GET print-jobs`: the newest first.
    func listPrintJobs(_ call: Call) async throws -> Response {
        let session = try await session(call)
        let list = try PrintJobList(call, session, cursor)
        let page = PrintJobPage(
            of: session.user,
            in: session.tenant,
            before: list.before,
            state: list.state,
            count: list.limit
        )
        let jobs = try await page.rows(from: database)
        let hasMore = jobs.count > list.limit
        var body = ByteWriter(capacity: 64 + jobs.count * 384)
        body.append("{\"data\":[")
        for (index, job) in jobs.prefix(list.limit).enumerated() {
            if index > 0 { body.append(",") }
            PrintJobJSON.append(job, to: &body, isListed: true)
        }
        body.append("],\"hasMore\":")
        body.append(json: hasMore)
        if hasMore {
            let last = jobs[list.limit - 1].id
            body.append(",\"nextCursor\":\"")
            body.append(unescaped: cursor.text(after: last, of: session.user, in: session.tenant, state: list.state))
            body.append("\"")
        }
        body.append("}")
        return .json(.ok, &body)
    }

    /// `GET print-jobs/{id}`
    func printJob(_ call: Call) async throws -> Response {
        let session = try await session(call)
        return try await shown(call.number(1), session)
    }

    /// `DELETE print-jobs/{id}`: 204 once it is on record that nobody wants it. What has ended without paper stays as it is; of a job of which
    /// nobody knows, it is the answer that nobody cares.
    func cancelPrintJob(_ call: Call) async throws -> Response {
        let session = try await session(call)
        let id: PrintJobID = try call.number(1)
        let note = UserNote(audit: try ids.next(at: call.now), requestID: call.caller.requestID, at: call.now)
        let actor = PrintJobActor.person(session.user, note)
        switch try await PrintJobCancel(id, in: session.tenant, by: actor).answer(from: database) {
        case .wanted: work.workWasQueued()
        case .missing: throw Problem.notFound
        case .over(.outcomeUnknown): try await resolve(id, as: .dropped, session, actor)
        case .over(.completed): throw Problem.printJobOver
        case .over: break
        }
        return Response(.noContent)
    }

    /// `POST print-jobs/{id}/retry`: the job as it is then.
    func retryPrintJob(_ call: Call) async throws -> Response {
        let session = try await session(call)
        let id: PrintJobID = try call.number(1)
        let key = try IdempotencyKey.read(call.head, isGuest: false)
        var life: Int64?
        if call.exchange.announcedBodyBytes != 0 {
            var fields = FieldReader(try await call.jsonObject())
            life = fields.integer("expiresIn", in: PrintJobCreate.lifetimeSeconds)
            try fields.finish()
        }
        let mark = key.map { key in
            var asked = OnceMeaning()
            for number in [id.rawValue, life ?? 0] { asked.append(number) }
            return onceMarks.mark(key, .retryPrintJob, by: session.principal, asking: asked, at: call.now)
        }
        let expires = call.now + .seconds(life ?? PrintJobCreate.lifetime.components.seconds)
        let note = UserNote(audit: try ids.next(at: call.now), requestID: call.caller.requestID, at: call.now)
        for _ in 0..<Self.changesMax {
            guard let job = try await PrintJobOne(id, of: session.user, in: session.tenant).run(on: database) else {
                throw Problem.notFound
            }
            var machine =
                job.machine.flatMap { PrintJobMachine(text: $0) }
                ?? PrintJobMachine(at: job.createdAt, expiresAt: expires)
            _ = machine.received(.retryRequested(expiresAt: expires), at: call.now)
            let retry = PrintJobRetry(
                id,
                in: session.tenant,
                PrintMachineChange(from: job.machine, to: machine.text),
                until: expires,
                by: .person(session.user, note),
                isLimited: call.tenant.isLimited(.printJobs) || call.tenant.isLimited(.printedPages)
            )
            switch try await retried(retry, mark) {
            case .first(.retried):
                work.workWasQueued()
                liveNews.happened(to: session.user, in: session.tenant)
                return try await shown(id, session)
            case .first(.changed): continue
            case .first(.missing): throw Problem.notFound
            case .first(.state): throw Problem.printJobRunning
            case .first(.noDrawing): throw Problem.drawingGone
            case .first(.noPrinter): throw Problem.noPrinter
            case .first(.printerDisabled): throw Problem.printerTakesNone
            case .first(.noConsent(let lack)): throw Problem.consentRequired(lack)
            case .first(.overQuota(let refusal)): throw Problem.quotaExceeded(refusal, at: call.now)
            case .repeated: return try await shown(id, session)
            case .otherBody: throw Problem.idempotencyKeyReused
            case .running: throw Problem.idempotencyKeyRunning
            }
        }
        throw Problem.overloaded
    }

    private func retried(_ retry: PrintJobRetry, _ mark: OnceMark?) async throws -> Once<PrintJobRetry.Outcome> {
        guard let mark else { return .first(try await retry.answer(from: database)) }
        do throws(DatabaseError) {
            return try await PrintJobRetryOnce(retry, mark).answer(from: database)
        } catch {
            // Whoever holds the key's row did not let go of it in time.
            if error.code == .contended { return .running }
            throw error
        }
    }

    private func resolve(_ id: PrintJobID, as outcome: PrintOutcome, _ session: Session, _ actor: PrintJobActor)
        async throws
    {
        for _ in 0..<Self.changesMax {
            guard let job = try await PrintJobOne(id, of: session.user, in: session.tenant).run(on: database),
                var machine = job.machine.flatMap({ PrintJobMachine(text: $0) })
            else { throw Problem.notFound }
            _ = machine.received(.outcomeTold(outcome), at: loop.wallClock)
            let resolve = PrintJobResolve(
                id,
                in: session.tenant,
                PrintMachineChange(from: job.machine, to: machine.text),
                as: PrintJobState(rawValue: machine.status.rawValue) ?? .canceled,
                reason: machine.reason,
                by: actor
            )
            switch try await resolve.answer(from: database) {
            case .resolved:
                liveNews.happened(to: session.user, in: session.tenant)
                return
            case .changed: continue
            case .missing: throw Problem.notFound
            case .state: throw Problem.printJobRunning
            }
        }
        throw Problem.overloaded
    }

    private func shown(_ id: PrintJobID, _ session: Session) async throws -> Response {
        guard let job = try await PrintJobOne(id, of: session.user, in: session.tenant).run(on: database) else {
            throw Problem.notFound
        }
        var body = ByteWriter(capacity: 768)
        PrintJobJSON.append(job, to: &body)
        return .json(.ok, &body)
    }

    /// Others may have their say first, now and then.
    private static let changesMax = 3
}
