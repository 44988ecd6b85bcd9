/// The states of the contract; raw values are what an answer says.
package enum PrintJobStatus: String, Hashable, Sendable, CaseIterable {
    case queued, submitting, sent, printing, blocked, completed, failed, canceling, canceled, expired, outcomeUnknown
}

/// Why a job waits before the printer has its page.
package enum PrintWait: String, Hashable, Sendable, CaseIterable {
    case printerUnreachable, busy, notAccepting, credentials
    /// The printer takes nothing in the clear: its address must begin with `ipps://`.
    case tlsRequired
    /// Another certificate than the one that was trusted, or one past its time: `chiladmin printer trust` decides.
    case certificateChanged, certificateExpired
    /// The answer to a request was lost, and the printer is asked what became of it.
    case answerLost
    /// The operator has switched it off.
    case printerDisabled
}

/// Why a job that the printer has stands still.
package enum PrintBlock: String, Hashable, Sendable, CaseIterable {
    case paperEmpty, paperJam, inkEmpty, coverOpen, offline, other
}

/// Why a job can't be printed.
package enum PrintFail: String, Hashable, Sendable, CaseIterable {
    case formatUnsupported, paperUnsupported, tooLarge, documentRefused
    /// The printer's address, version or operations: the operator must mend it.
    case printerUnusable
    /// The printer gave up, without a reason that is known here.
    case abortedByPrinter
    /// A person has looked: nothing came out.
    case notPrinted

    /// What a refusal means that no repetition changes.
    init(_ failure: PrintFailure) {
        switch failure {
        case .formatUnsupported: self = .formatUnsupported
        case .attributesUnsupported: self = .paperUnsupported
        case .tooLarge: self = .tooLarge
        case .documentRefused: self = .documentRefused
        case .unreachable, .answerLost, .busy, .notAccepting, .temporary, .notFound, .noSuchResource, .notPossible,
            .forbidden,
            .secureOnly, .certificateChanged, .certificateExpired, .versionUnsupported, .operationUnsupported,
            .jobCanceled, .documentAlreadySent, .badRequest,
            .other:
            self = .printerUnusable
        }
    }
}

/// Why nobody can say whether paper came out.
package enum PrintDoubt: String, Hashable, Sendable, CaseIterable {
    case answerLost, printerRestarted, printerGone
    /// It had the page, was never seen to print it, and does not know the job any more.
    case jobForgotten
}

/// Who wants a job to end.
package enum PrintEnd: String, Hashable, Sendable, CaseIterable {
    case person, deadline
}
