/// Does the steps of one job at an IPP printer and reports facts. It decides nothing.
package struct PrintDriver {
    private var printer: IPPPrinter
    private let name: PrintJobName
    private let document: [UInt8]
    /// From the last check: what may be sent along with a job.
    private var snapshot: PrinterSnapshot?

    package init(printer: IPPPrinter, name: PrintJobName, document: [UInt8]) {
        self.printer = printer
        self.name = name
        self.document = document
    }

    /// `nil` for the steps that are no I/O: waiting, and being done.
    package mutating func perform(_ step: PrintStep) async -> PrintEvent? {
        do {
            switch step {
            case .wait, .done: return nil
            case .checkPrinter:
                let answer = try await printer.getPrinterAttributes()
                snapshot = answer
                return .printerChecked(answer)
            case .createJob(let attempt):
                let ticket = PrintTicket(jobName: name.name(attempt: attempt))
                return .jobCreated(try await printer.createJob(ticket, for: snapshot))
            case .findJob(let attempt): return try await find(attempt: attempt)
            case .sendDocument(let job):
                _ = try await printer.sendDocument(document, to: job)
                return .documentSent
            case .poll(let job, let attempt): return try await poll(job, attempt: attempt)
            case .cancelJob(let job):
                try await printer.cancelJob(job)
                return .cancelAccepted
            }
        } catch {
            return .stepFailed(error)
        }
    }

    /// A job that is over has lost its chance of a document, so only open ones count.
    private mutating func find(attempt: Int) async throws(IPPFailure) -> PrintEvent {
        let jobs = try await printer.getJobs(areCompleted: false)
        let found = jobs.first { name.matches($0.name, attempt: attempt) && $0.state?.isFinal != true }
        return found?.id.map { .jobFound($0) } ?? .jobNotFound
    }

    private mutating func poll(_ job: RemoteJobID, attempt: Int) async throws(IPPFailure) -> PrintEvent {
        let answer: JobSnapshot?
        do {
            answer = try await printer.getJobAttributes(of: job)
        } catch {
            guard error == .notFound || error == .notPossible else { throw error }
            answer = nil
        }
        // Without the printer's own state the poll is worth less, but it is one.
        var condition: PrinterSnapshot?
        do { condition = try await printer.getPrinterCondition() } catch {}
        guard let answer else { return .jobVanished(condition) }
        return .polled(PrintPoll(job: answer, isOurs: name.matches(answer.name, attempt: attempt), printer: condition))
    }
}
