import ChilCore
import ChilLoop
import ChilMedia
package import ChilPrint

/// Does the steps of one job at a printer behind Epson Connect. Not `Sendable`.
///
/// What the service says of a job is all that counts: what it tells by itself (callbacks) is not signed and is not heard here.
package struct EpsonDriver: PrintDriver {
    private let client: EpsonClient
    private let name: PrintJobName
    private let pages: any PrintPages
    /// From the last check.
    private var snapshot: PrinterSnapshot?
    private var capability: EpsonCapability?
    private var document: PrintDocument?
    /// Known to who made the job alone. Whoever takes over makes another.
    private var made: EpsonJob?

    package init(_ client: EpsonClient, name: PrintJobName, pages: any PrintPages) {
        self.client = client
        self.name = name
        self.pages = pages
    }

    package mutating func perform(_ step: PrintStep) async -> PrintEvent? {
        do throws(Stop) {
            return try await event(of: step)
        } catch {
            switch error {
            case .failure(let failure): return .stepFailed(failure)
            case .pages(.gone): return .drawingGone
            case .pages(.unreadable): return .stepFailed(.busy)
            case .pages(.unprintable): return .stepFailed(.documentRefused)
            case .pages(.noFormat): return .stepFailed(.formatUnsupported)
            }
        }
    }

    private enum Stop: Error {
        case failure(PrintFailure)
        case pages(PrintPagesFault)
    }

    private mutating func event(of step: PrintStep) async throws(Stop) -> PrintEvent? {
        switch step {
        case .wait, .done: return nil
        case .checkPrinter: return .printerChecked(try await check())
        case .createJob(let attempt): return .jobCreated(try await create(attempt))
        // The service lists no jobs. One without a page prints nothing, and goes by itself.
        case .findJob: return .jobNotFound
        case .sendDocument(let job):
            try await upload(to: job)
            return .documentUploaded
        case .askToPrint(let job):
            try await ask(for: job)
            return .documentSent
        // A job is always made first, and then sent its page.
        case .printJob, .traceJob: return .stepFailed(.operationUnsupported)
        case .poll(let job, let attempt): return try await poll(job, attempt)
        case .cancelJob(let job): return try await cancel(job)
        }
    }

    private mutating func check() async throws(Stop) -> PrinterSnapshot {
        do throws(EpsonFault) {
            let device = try await client.device()
            guard device.isConnected else {
                throw .unreachable("Epson Connect says that the printer is not connected")
            }
            let capability = try await client.capability()
            var snapshot = PrinterSnapshot(
                model: device.model,
                state: 3,
                formats: [MediaType.pdf, .png, .jpeg].map(\.rawValue),
                media: capability.media
            )
            snapshot.printsWhenAsked = true
            (self.snapshot, self.capability, document) = (snapshot, capability, nil)
            return snapshot
        } catch {
            throw .failure(PrintFailure(error))
        }
    }

    /// Drawn when first needed.
    private mutating func pagesAtHand() async throws(Stop) -> PrintDocument {
        if let document { return document }
        let printer: PrinterSnapshot
        if let snapshot { printer = snapshot } else { printer = try await check() }
        do {
            let drawn = try await pages.document(for: printer)
            document = drawn
            return drawn
        } catch {
            throw .pages(error)
        }
    }

    private mutating func create(_ attempt: Int) async throws(Stop) -> RemoteJobID {
        let page = try await pagesAtHand()
        // Nothing else is made for a printer that takes PDF.
        guard let bytes = page.body.bytesAtHand else { throw .failure(.formatUnsupported) }
        guard bytes.count <= EpsonClient.pageBytesMax else { throw .failure(.tooLarge) }
        guard let settings = EpsonPrintSettings(for: page.paper, capability) else {
            throw .failure(.attributesUnsupported)
        }
        do throws(EpsonFault) {
            let job = try await client.createJob(named: name.name(attempt: attempt), settings)
            made = job
            return job.id
        } catch {
            throw .failure(PrintFailure(error))
        }
    }

    private mutating func upload(to job: RemoteJobID) async throws(Stop) {
        let start = client.loop.monotonicNow
        // Where to was known to another: this one's job is dropped, and another made.
        guard let made, made.id == job else { throw .failure(.busy) }
        let page = try await pagesAtHand()
        let uploading = start + client.site.patience.upload.wholeMicroseconds * 1_000
        do throws(EpsonFault) {
            try await client.upload(page.body.bytesAtHand ?? [], page.format, to: made.upload, until: uploading)
        } catch {
            // Whatever happened to the page: nobody has asked to print it.
            throw .failure(Self.beforePrinting(PrintFailure(error)))
        }
    }

    private func ask(for job: RemoteJobID) async throws(Stop) {
        do throws(EpsonFault) {
            try await client.print(job)
        } catch {
            // Only what the service says by its own words is a refusal of something that was not done.
            if case .refused(500...599, _) = error { throw .failure(.answerLost(detail: error.sentence)) }
            throw .failure(PrintFailure(error))
        }
    }

    private static func beforePrinting(_ failure: PrintFailure) -> PrintFailure {
        switch failure {
        case .answerLost(let detail): .unreachable(detail: detail)
        case .temporary, .notPossible, .documentAlreadySent: .busy
        default: failure
        }
    }

    private func poll(_ job: RemoteJobID, _ attempt: Int) async throws(Stop) -> PrintEvent {
        let report: EpsonJobReport
        do throws(EpsonFault) {
            report = try await client.job(job)
        } catch {
            let failure = PrintFailure(error)
            guard failure == .notFound || failure == .notPossible else { throw .failure(failure) }
            return .jobVanished(nil)
        }
        let (state, reasons) = EpsonJobState.ipp(report.status, reason: report.reason)
        var printer: PrinterSnapshot?
        // A job does not begin while its printer is away, and only the printer's own entry says that it is.
        if state == .pending, reasons.isEmpty, let device = await deviceIfItAnswers(), !device.isConnected {
            printer = PrinterSnapshot(stateReasons: ["offline-report"])
        }
        let snapshot = JobSnapshot(
            id: job,
            name: report.name,
            state: state,
            stateReasons: reasons,
            impressionsCompleted: report.totalPages.flatMap { Int32(exactly: $0) }
        )
        return .polled(
            PrintPoll(job: snapshot, isOurs: name.matches(report.name, attempt: attempt), printer: printer)
        )
    }

    private func deviceIfItAnswers() async -> EpsonDevice? {
        do throws(EpsonFault) { return try await client.device() } catch { return nil }
    }

    private func cancel(_ job: RemoteJobID) async throws(Stop) -> PrintEvent {
        do throws(EpsonFault) {
            try await client.cancel(job)
            return .cancelAccepted
        } catch {
            // A job that is being printed is refused by 403, or in generation 1 by 400.
            if case .refused(let status, _) = error, !error.isTooOften, status == 403 || status == 400 || status == 409
            {
                throw .failure(.notPossible)
            }
            throw .failure(PrintFailure(error))
        }
    }
}
