import ChilMedia

/// Does the steps of one job at an IPP printer (RFC 8011).
package struct IPPDriver: PrintDriver {
    private var printer: IPPPrinter
    private let name: PrintJobName
    private let pages: any PrintPages
    /// From the last check: what may be sent along with a job.
    private var snapshot: PrinterSnapshot?
    private var document: PrintDocument?

    package init(printer: IPPPrinter, name: PrintJobName, pages: any PrintPages) {
        self.printer = printer
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
        case .createJob(let attempt):
            var (ticket, _) = try await agreed(attempt: attempt)
            do { return .jobCreated(try await printer.createJob(&ticket, for: snapshot)) } catch {
                throw .failure(error)
            }
        case .findJob(let attempt):
            do { return try await find(attempt: attempt, alsoCompleted: false) } catch { throw .failure(error) }
        case .sendDocument(let job):
            let document = try await pagesAtHand()
            do {
                _ = try await printer.sendDocument(document.body, format: document.format, to: job)
            } catch {
                throw .failure(error)
            }
            return .documentSent
        // A page that has arrived is printed.
        case .askToPrint: return .stepFailed(.operationUnsupported)
        case .printJob(let attempt):
            var (ticket, document) = try await agreed(attempt: attempt)
            do {
                return .jobAccepted(
                    try await printer.printJob(document.body, format: document.format, &ticket, for: snapshot)
                )
            } catch {
                throw .failure(error)
            }
        case .traceJob(let attempt):
            do { return try await find(attempt: attempt, alsoCompleted: true) } catch { throw .failure(error) }
        case .poll(let job, let attempt):
            do { return try await poll(job, attempt: attempt) } catch { throw .failure(error) }
        case .cancelJob(let job):
            do { try await printer.cancelJob(job) } catch { throw .failure(error) }
            return .cancelAccepted
        }
    }

    private mutating func check() async throws(Stop) -> PrinterSnapshot {
        do {
            let answer = try await printer.getPrinterAttributes()
            (snapshot, document) = (answer, nil)
            return answer
        } catch {
            throw .failure(error)
        }
    }

    /// Drawn when first needed. Whoever goes on with another's job has not asked the printer yet.
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

    /// Pages and attributes that the printer does not refuse when it is asked beforehand. A format that it does not take after all is
    /// struck off its list, and the pages are drawn in the next one.
    private mutating func agreed(attempt: Int) async throws(Stop) -> (PrintTicket, PrintDocument) {
        while true {
            let document = try await pagesAtHand()
            var ticket = PrintTicket(jobName: name.name(attempt: attempt), of: document)
            if let operations = snapshot?.operations, !operations.isEmpty, !operations.contains(0x0004) {
                return (ticket, document)
            }
            do {
                try await printer.validateJob(&ticket, format: document.format, for: snapshot)
                return (ticket, document)
            } catch {
                guard error == .formatUnsupported, strike(document.format.rawValue) else { throw .failure(error) }
            }
        }
    }

    private mutating func strike(_ format: String) -> Bool {
        guard let left = snapshot?.documentFormats.filter({ $0 != format }), !left.isEmpty,
            left.count < snapshot?.documentFormats.count ?? 0
        else { return false }
        snapshot?.documentFormats = left
        document = nil
        return true
    }

    /// Where a job waits for its document, one that is over has lost its chance of one, and only open ones count. One that came with its
    /// document may be over already.
    private mutating func find(attempt: Int, alsoCompleted: Bool) async throws(PrintFailure) -> PrintEvent {
        let open = try await printer.getJobs(areCompleted: false)
        let isOurs = { [name] (job: JobSnapshot) in name.matches(job.name, attempt: attempt) }
        if let found = open.first(where: { isOurs($0) && (alsoCompleted || $0.state?.isFinal != true) })?.id {
            return .jobFound(found)
        }
        guard alsoCompleted else { return .jobNotFound }
        return try await printer.getJobs(areCompleted: true).first(where: isOurs)?.id.map { .jobFound($0) }
            ?? .jobNotFound
    }

    private mutating func poll(_ job: RemoteJobID, attempt: Int) async throws(PrintFailure) -> PrintEvent {
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
