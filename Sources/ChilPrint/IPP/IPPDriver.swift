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
            let ticket = PrintTicket(jobName: name.name(attempt: attempt), of: try await pagesAtHand())
            do { return .jobCreated(try await printer.createJob(ticket, for: snapshot)) } catch {
                throw .failure(error)
            }
        case .findJob(let attempt):
            do { return try await find(attempt: attempt) } catch { throw .failure(error) }
        case .sendDocument(let job):
            let document = try await pagesAtHand()
            do {
                _ = try await printer.sendDocument(document.bytes, format: document.format, to: job)
            } catch {
                throw .failure(error)
            }
            return .documentSent
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

    /// A job that is over has lost its chance of a document, so only open ones count.
    private mutating func find(attempt: Int) async throws(PrintFailure) -> PrintEvent {
        let jobs = try await printer.getJobs(areCompleted: false)
        let found = jobs.first { name.matches($0.name, attempt: attempt) && $0.state?.isFinal != true }
        return found?.id.map { .jobFound($0) } ?? .jobNotFound
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
