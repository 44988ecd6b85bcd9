import ChilCore

extension PrintJobMachine {
    /// What a failed step means depends on which one it was, that is on the stage.
    mutating func stepFailed(_ failure: PrintFailure, at now: Timestamp) {
        switch stage {
        case .queued: checkFailed(failure, at: now)
        case .creating: createFailed(failure, at: now)
        case .finding: findFailed(failure, at: now)
        case .sending(let job), .asking(let job): sendFailed(failure, of: job, at: now)
        case .handing: handFailed(failure, at: now)
        case .tracing: traceFailed(failure, at: now)
        case .discarding(let job, let sequel, let isDoubtful):
            discardFailed(failure, of: job, then: sequel, wasPoll: isDoubtful, at: now)
        case .canceling(let job, let end, let isAsked):
            cancelFailed(failure, of: job, for: end, isAsked: isAsked, at: now)
        case .verifying, .sent, .printing, .blocked: pollFailed(failure, at: now)
        case .completed, .failed, .canceled, .expired, .outcomeUnknown: break
        }
    }

    /// What is waited for, if waiting can help.
    private func wait(for failure: PrintFailure) -> PrintWait? {
        switch failure {
        case .unreachable, .answerLost: .printerUnreachable
        case .busy, .temporary: .busy
        case .notAccepting: .notAccepting
        case .forbidden: .credentials
        case .secureOnly: .tlsRequired
        case .certificateChanged: .certificateChanged
        case .certificateExpired: .certificateExpired
        case .notFound, .noSuchResource, .notPossible, .formatUnsupported, .attributesUnsupported,
            .versionUnsupported,
            .operationUnsupported, .tooLarge, .documentRefused, .jobCanceled, .documentAlreadySent, .badRequest, .other:
            nil
        }
    }

    private mutating func checkFailed(_ failure: PrintFailure, at now: Timestamp) {
        if let wait = wait(for: failure) { return waitQueued(wait, at: now) }
        enter(.failed(PrintFail(failure)), at: now)
    }

    private mutating func createFailed(_ failure: PrintFailure, at now: Timestamp) {
        switch failure {
        case .answerLost: enter(.finding(.answerLost), at: now)
        // A printer that stumbles may have made the job all the same.
        case .temporary: enter(.finding(.busy), at: now, after: PrintSchedule.retryDelay(failures: 1))
        // cupsd's word for "too many jobs": none was made.
        case .notPossible: waitQueued(.busy, at: now)
        // It says that it can, and can't.
        case .operationUnsupported where !wantsCancel: enter(.handing, at: now)
        default:
            if let wait = wait(for: failure) { return waitQueued(wait, at: now) }
            enter(wantsCancel ? .canceled : .failed(PrintFail(failure)), at: now)
        }
    }

    private mutating func findFailed(_ failure: PrintFailure, at now: Timestamp) {
        // A printer that can't list its jobs can't be asked; what may stand there has no document.
        guard let wait = wait(for: failure) else { return jobNotFound(at: now) }
        failures += 1
        enter(.finding(wait), at: now, after: PrintSchedule.retryDelay(failures: failures))
        judgeDeadline(at: now)
    }

    private mutating func handFailed(_ failure: PrintFailure, at now: Timestamp) {
        switch failure {
        case .answerLost, .temporary: enter(.tracing, at: now)
        case .jobCanceled: enter(.canceled, at: now)
        case .notPossible: waitQueued(.busy, at: now)
        // Refused as a whole, or never sent: there is no job.
        default:
            if let wait = wait(for: failure) { return waitQueued(wait, at: now) }
            enter(wantsCancel ? .canceled : .failed(PrintFail(failure)), at: now)
        }
    }

    private mutating func traceFailed(_ failure: PrintFailure, at now: Timestamp) {
        // A printer that can't list its jobs will never say.
        guard wait(for: failure) != nil else { return enter(.outcomeUnknown(.answerLost), at: now) }
        failures += 1
        nextAt = now + PrintSchedule.retryDelay(failures: failures)
        judgeDeadline(at: now)
    }

    private mutating func sendFailed(_ failure: PrintFailure, of job: RemoteJobID, at now: Timestamp) {
        switch failure {
        case .answerLost, .documentAlreadySent, .notPossible, .temporary:
            enter(.verifying(job), at: now, after: PrintSchedule.settling)
        // The printer closed the job that waited for its document.
        case .notFound: waitQueued(.busy, at: now)
        case .jobCanceled: enter(.canceled, at: now)
        default:
            let sequel: Sequel =
                wantsCancel ? .cancel : wait(for: failure).map { .requeue($0) } ?? .fail(PrintFail(failure))
            enter(.discarding(job, then: sequel, isDoubtful: false), at: now)
        }
    }

    private mutating func discardFailed(
        _ failure: PrintFailure,
        of job: RemoteJobID,
        then sequel: Sequel,
        wasPoll: Bool,
        at now: Timestamp
    ) {
        switch failure {
        case .notFound: jobVanished(nil, at: now)
        // It is over, or can't be canceled: its state says whether it was printed.
        case .notPossible where !wasPoll: enter(.discarding(job, then: sequel, isDoubtful: true), at: now)
        default:
            guard wait(for: failure) != nil else {
                guard sequel.mayHaveHalf else { return follow(sequel, at: now) }
                let next: Stage =
                    wasPoll ? .outcomeUnknown(.answerLost) : .discarding(job, then: sequel, isDoubtful: true)
                return enter(next, at: now)
            }
            failures += 1
            nextAt = now + PrintSchedule.retryDelay(failures: failures)
            judgeDeadline(at: now)
        }
    }

    private mutating func cancelFailed(
        _ failure: PrintFailure,
        of job: RemoteJobID,
        for end: PrintEnd,
        isAsked: Bool,
        at now: Timestamp
    ) {
        failures += 1
        let delay = PrintSchedule.retryDelay(failures: failures)
        if failure == .notFound {
            jobVanished(nil, at: now)
        } else if isAsked || (failure != .forbidden && wait(for: failure) != nil) {
            nextAt = now + delay
        } else {
            // It can't be canceled; how it ends is still worth knowing.
            enter(.canceling(job, for: end, isAsked: true), at: now)
        }
        judgeDeadline(at: now)
    }

    private mutating func pollFailed(_ failure: PrintFailure, at now: Timestamp) {
        if failure == .notFound || failure == .notPossible { return jobVanished(nil, at: now) }
        failures += 1
        let delay = PrintSchedule.retryDelay(failures: failures)
        switch stage {
        case .sent(let job), .printing(let job), .blocked(let job, _):
            if failures >= PrintSchedule.failuresUntilOffline {
                enter(.blocked(job, .offline), at: now, after: delay)
            } else {
                nextAt = now + delay
            }
        default: nextAt = now + delay
        }
        judgeDeadline(at: now)
    }
}
