package import ChilCore

/// The life of one print job, from asked for to over. A value: told facts, it answers what to do next.
///
/// Paper can't be undone, so a page is never sent again on a guess. Creating a job prints nothing: an answer lost there
/// is looked up by the job's name. Once bytes of the page have left, only the printer's own word lets it be sent
/// again; without that word the job ends as `outcomeUnknown`, and a person decides.
///
/// A service that keeps a page until it is asked to print it (`printsWhenAsked`) has two steps for that: what was not asked for was not
/// printed.
///
/// A printer without Create-Job gets job and page in one request (`handing`): an answer lost there may have printed.
package struct PrintJobMachine: Hashable, Sendable {
    package enum Stage: Hashable, Sendable {
        /// The printer has nothing of it. → creating, failed, canceled, expired
        case queued(PrintWait?)
        /// Create-Job is under way. → sending, finding, queued, failed
        case creating
        /// Whether Create-Job was done is asked by name. → sending, queued
        case finding(PrintWait?)
        /// Send-Document is under way. → asking, sent, verifying, discarding
        case sending(RemoteJobID)
        /// The page is there, and the request to print it is under way: this is stored before that is sent. → sent, verifying, discarding
        case asking(RemoteJobID)
        /// Print-Job is under way. → sent, tracing, queued, failed
        case handing
        /// Whether Print-Job was done is asked by name, among the jobs that are over too. → verifying, outcomeUnknown
        case tracing
        /// A remote job without a document is taken back. → what follows
        case discarding(RemoteJobID, then: Sequel, isDoubtful: Bool)
        /// Whether the document arrived is asked. → sent, printing, discarding, outcomeUnknown
        case verifying(RemoteJobID)
        case sent(RemoteJobID)
        case printing(RemoteJobID)
        case blocked(RemoteJobID, PrintBlock)
        /// → canceled, expired, completed (too late), outcomeUnknown
        case canceling(RemoteJobID, for: PrintEnd, isAsked: Bool)
        case completed
        case failed(PrintFail)
        case canceled
        case expired
        case outcomeUnknown(PrintDoubt)
    }

    /// What comes after a remote job was taken back.
    package enum Sequel: Hashable, Sendable {
        case requeue(PrintWait)
        case cancel
        case expire
        case fail(PrintFail)

        /// The page is to be sent again, and the printer may have got some of it before: nothing but its word that it was not printed
        /// allows that.
        var mayHaveHalf: Bool { self == .requeue(.answerLost) }
    }

    package internal(set) var stage = Stage.queued(nil)
    /// Counted by Create-Job; part of the remote job's name.
    package internal(set) var attempt = 0
    package internal(set) var wantsCancel = false
    /// It is canceled because a guardian's consent is missing.
    package internal(set) var lacksConsent = false
    package internal(set) var nextAt: Timestamp
    package internal(set) var expiresAt: Timestamp
    package internal(set) var stageSince: Timestamp
    package internal(set) var pagesPrinted: Int32 = 0
    static let consentReason = "consent"
    var failures = 0
    var polls = 0
    var printerUpTime: Int32?
    /// A page that has arrived is not printed before it is asked for.
    var printsWhenAsked = false
    /// The printer was seen to print it.
    var wasSeenPrinting = false

    package init(at now: Timestamp, expiresAt: Timestamp) {
        nextAt = now
        stageSince = now
        self.expiresAt = expiresAt
    }

    package var status: PrintJobStatus {
        switch stage {
        case .queued: .queued
        case .creating, .finding, .sending, .asking, .handing, .tracing, .verifying: .submitting
        case .discarding(_, .cancel, _): .canceling
        case .discarding: .submitting
        case .sent: .sent
        case .printing: .printing
        case .blocked: .blocked
        case .canceling: .canceling
        case .completed: .completed
        case .failed: .failed
        case .canceled: .canceled
        case .expired: .expired
        case .outcomeUnknown: .outcomeUnknown
        }
    }

    /// The reason beside the status, as an answer says it.
    package var reason: String? {
        switch stage {
        case .queued(let wait), .finding(let wait): wait?.rawValue
        case .discarding(_, .requeue(let wait), _): wait.rawValue
        case .discarding(_, .fail(let fail), _): fail.rawValue
        case .verifying, .tracing: PrintWait.answerLost.rawValue
        case .blocked(_, let block): block.rawValue
        case .failed(let fail): fail.rawValue
        case .outcomeUnknown(let doubt): doubt.rawValue
        case .canceling(_, .deadline, _): PrintEnd.deadline.rawValue
        case .discarding(_, .cancel, _), .canceling(_, .person, _), .canceled: lacksConsent ? Self.consentReason : nil
        case .creating, .sending, .asking, .handing, .discarding, .sent, .printing, .completed, .expired: nil
        }
    }

    package var isOver: Bool {
        switch stage {
        case .completed, .failed, .canceled, .expired, .outcomeUnknown: true
        case .queued, .creating, .finding, .sending, .asking, .handing, .tracing, .discarding, .verifying, .sent,
            .printing, .blocked, .canceling:
            false
        }
    }

    package var remoteJob: RemoteJobID? {
        switch stage {
        case .sending(let job), .asking(let job), .discarding(let job, _, _), .verifying(let job), .sent(let job),
            .printing(let job),
            .blocked(let job, _), .canceling(let job, _, _):
            job
        case .queued, .creating, .finding, .handing, .tracing, .completed, .failed, .canceled, .expired,
            .outcomeUnknown:
            nil
        }
    }

    /// The next I/O. It follows from the value alone, so a restarted worker goes on where the stored one stood.
    package func step(at now: Timestamp) -> PrintStep {
        if isOver { return .done }
        if now < nextAt { return .wait(until: nextAt) }
        switch stage {
        case .queued: return .checkPrinter
        case .creating: return .createJob(attempt: attempt)
        case .finding: return .findJob(attempt: attempt)
        case .sending(let job): return .sendDocument(job)
        case .asking(let job): return .askToPrint(job)
        case .handing: return .printJob(attempt: attempt)
        case .tracing: return .traceJob(attempt: attempt)
        case .discarding(let job, _, let isDoubtful): return isDoubtful ? .poll(job, attempt: attempt) : .cancelJob(job)
        case .canceling(let job, _, let isAsked): return isAsked ? .poll(job, attempt: attempt) : .cancelJob(job)
        case .verifying(let job), .sent(let job), .printing(let job), .blocked(let job, _):
            return .poll(job, attempt: attempt)
        case .completed, .failed, .canceled, .expired, .outcomeUnknown: return .done
        }
    }

    /// A new stage, whose first step is due after `delay`.
    mutating func enter(_ new: Stage, at now: Timestamp, after delay: Duration = .zero) {
        if new != stage { stageSince = now }
        stage = new
        nextAt = now + delay
    }
}
