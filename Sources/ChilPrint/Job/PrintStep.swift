package import ChilCore

/// The next thing that the worker must do for a job. It stores the machine before it does it.
package enum PrintStep: Hashable, Sendable {
    /// Nothing until then; afterwards `PrintEvent.taken`.
    case wait(until: Timestamp)
    case checkPrinter
    case createJob(attempt: Int)
    case findJob(attempt: Int)
    case sendDocument(RemoteJobID)
    /// The point of no return where a page that has arrived is not printed by itself.
    case askToPrint(RemoteJobID)
    /// Job and page at once.
    case printJob(attempt: Int)
    /// As `findJob`, among the jobs that are over too.
    case traceJob(attempt: Int)
    case poll(RemoteJobID, attempt: Int)
    case cancelJob(RemoteJobID)
    /// The job is over.
    case done

    /// Whether something of the person's leaves with it: the title in a job's name, or the page.
    package var handsOver: Bool {
        switch self {
        case .createJob, .sendDocument, .askToPrint, .printJob: true
        case .wait, .checkPrinter, .findJob, .traceJob, .poll, .cancelJob, .done: false
        }
    }
}

/// A fact that the machine is told.
package enum PrintEvent: Hashable, Sendable {
    /// The row was read: after a wait, by a new worker, or after a crash.
    case taken
    case cancelRequested
    /// Somebody says that something about the job has changed: it is asked for sooner, and nothing else.
    case hinted
    /// Consent to hand the page to the printer's party is missing, or was taken back.
    case consentMissing
    /// The drawing was deleted; nothing of it is sent any more.
    case drawingGone
    /// As `cancelRequested`, told before the step at hand was begun.
    case withdrawn
    /// The operator has switched the printer off; it is looked at again then.
    case printerWithheld(until: Timestamp)
    /// What a person says of a job of which nobody knows.
    case outcomeTold(PrintOutcome)
    /// A person asks for it once more; also their answer to `outcomeUnknown`.
    case retryRequested(expiresAt: Timestamp)
    case printerChecked(PrinterSnapshot)
    case jobCreated(RemoteJobID)
    /// Print-Job was answered: the printer has the page.
    case jobAccepted(RemoteJobID)
    case jobFound(RemoteJobID)
    /// The printer answered, and the job is not among its jobs.
    case jobNotFound
    /// The page is there, and is not printed before it is asked for.
    case documentUploaded
    /// The printer has the page, and prints it.
    case documentSent
    case polled(PrintPoll)
    /// A poll: the printer knows no such job (any more).
    case jobVanished(PrinterSnapshot?)
    case cancelAccepted
    /// The step at hand did not succeed.
    case stepFailed(PrintFailure)
}

/// A person's word on `outcomeUnknown`.
package enum PrintOutcome: String, Hashable, Sendable, CaseIterable {
    /// It lies there.
    case printed
    /// Nothing came out, and nothing will.
    case notPrinted = "not-printed"
    /// Whatever became of it, nobody wants it any more.
    case dropped
}

/// What a poll sees: the job, and the printer, which alone may know that paper is out.
package struct PrintPoll: Hashable, Sendable {
    package let job: JobSnapshot
    /// The job's name is the one that was given.
    package let isOurs: Bool
    package let printer: PrinterSnapshot?

    package init(job: JobSnapshot, isOurs: Bool, printer: PrinterSnapshot?) {
        self.job = job
        self.isOurs = isOurs
        self.printer = printer
    }
}
