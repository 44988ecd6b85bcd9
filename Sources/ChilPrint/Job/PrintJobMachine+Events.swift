package import ChilCore

extension PrintJobMachine {
    /// Takes a fact in and says what to do next. A fact that doesn't belong to the stage (late, repeated) changes nothing.
    package mutating func received(_ event: PrintEvent, at now: Timestamp) -> PrintStep {
        switch event {
        case .taken: resume(at: now)
        case .cancelRequested: cancelRequested(at: now)
        case .hinted: hinted(at: now)
        case .consentMissing: consentMissing(at: now)
        case .drawingGone, .withdrawn: withdrawn(at: now)
        case .printerWithheld(let moment): printerWithheld(until: moment, at: now)
        case .outcomeTold(let outcome): outcomeTold(outcome, at: now)
        case .retryRequested(let deadline): retryRequested(until: deadline, at: now)
        case .printerChecked(let printer): printerChecked(printer, at: now)
        case .jobCreated(let job): jobOpened(job, at: now)
        case .jobFound(let job): jobOpened(job, at: now)
        case .jobAccepted(let job): jobAccepted(job, at: now)
        case .jobNotFound: jobNotFound(at: now)
        case .documentUploaded: documentUploaded(at: now)
        case .documentSent: documentSent(at: now)
        case .polled(let poll): polled(poll, at: now)
        case .jobVanished(let printer): jobVanished(printer, at: now)
        case .cancelAccepted: cancelAccepted(at: now)
        case .stepFailed(let failure): stepFailed(failure, at: now)
        }
        return step(at: now)
    }

    private mutating func resume(at now: Timestamp) {
        switch stage {
        // Whether the request left before the crash is not known.
        case .creating: enter(.finding(nil), at: now)
        // It was not asked to be printed, whatever became of its page: so it never is.
        case .sending(let job) where printsWhenAsked:
            enter(.discarding(job, then: wantsCancel ? .cancel : .requeue(.busy), isDoubtful: false), at: now)
        case .sending(let job), .asking(let job):
            enter(.verifying(job), at: now, after: PrintSchedule.settling)
        case .handing: enter(.tracing, at: now)
        // It may be switched on again.
        case .queued(.printerDisabled): nextAt = now
        case .queued, .finding, .tracing, .discarding, .verifying, .sent, .printing, .blocked, .canceling, .completed,
            .failed,
            .canceled, .expired, .outcomeUnknown:
            break
        }
        judgeDeadline(at: now)
    }

    /// What waiting has come to.
    mutating func judgeDeadline(at now: Timestamp) {
        switch stage {
        case .verifying, .tracing, .discarding(_, .requeue(.answerLost), _):
            if now >= min(expiresAt, stageSince + PrintSchedule.verifyingMax) {
                enter(.outcomeUnknown(.answerLost), at: now)
            }
        default: break
        }
        guard now >= expiresAt else { return }
        switch stage {
        // A remote job that may stand open has no document and prints nothing.
        case .queued, .finding: enter(wantsCancel ? .canceled : .expired, at: now)
        case .discarding(_, _, isDoubtful: true): enter(.outcomeUnknown(.answerLost), at: now)
        case .discarding(_, let sequel, isDoubtful: false):
            // It could not be taken back in time; the printer drops it by itself.
            if case .requeue = sequel { enter(.expired, at: now) } else { follow(sequel, at: now) }
        case .sent(let job): enter(.canceling(job, for: .deadline, isAsked: false), at: now)
        case .blocked(let job, let block):
            if block == .offline && failures > 0 {
                enter(.outcomeUnknown(.printerGone), at: now)
            } else {
                enter(.canceling(job, for: .deadline, isAsked: false), at: now)
            }
        case .canceling where now >= stageSince + PrintSchedule.cancelingMax:
            enter(.outcomeUnknown(failures > 0 ? .printerGone : .answerLost), at: now)
        // A page that comes out is let out.
        case .creating, .sending, .asking, .handing, .tracing, .verifying, .printing, .canceling, .completed, .failed,
            .canceled, .expired, .outcomeUnknown:
            break
        }
    }

    private mutating func hinted(at now: Timestamp) {
        switch stage {
        case .sent, .printing, .blocked, .canceling(_, _, isAsked: true): nextAt = min(nextAt, now)
        // What is waited for there is no word of the printer's.
        case .queued, .creating, .finding, .sending, .asking, .handing, .tracing, .discarding, .verifying, .canceling,
            .completed,
            .failed, .canceled, .expired, .outcomeUnknown:
            break
        }
    }

    private mutating func cancelRequested(at now: Timestamp) {
        guard !isOver else { return }
        wantsCancel = true
        switch stage {
        case .queued: enter(.canceled, at: now)
        case .sent(let job), .printing(let job), .blocked(let job, _):
            enter(.canceling(job, for: .person, isAsked: false), at: now)
        case .discarding(let job, .requeue, let isDoubtful):
            enter(.discarding(job, then: .cancel, isDoubtful: isDoubtful), at: now)
        // The answer that is awaited says what there is to cancel.
        case .creating, .sending, .asking, .handing: break
        case .finding, .tracing, .verifying: nextAt = now
        case .discarding, .canceling, .completed, .failed, .canceled, .expired, .outcomeUnknown: break
        }
    }

    private mutating func consentMissing(at now: Timestamp) {
        guard !isOver else { return }
        lacksConsent = true
        withdrawn(at: now)
    }

    /// Told before a step is done: what the stage is about has not happened, and does not.
    private mutating func withdrawn(at now: Timestamp) {
        cancelRequested(at: now)
        switch stage {
        case .creating, .handing: enter(.canceled, at: now)
        case .sending(let job), .asking(let job):
            enter(.discarding(job, then: .cancel, isDoubtful: false), at: now)
        case .queued, .finding, .tracing, .discarding, .verifying, .sent, .printing, .blocked, .canceling, .completed,
            .failed,
            .canceled, .expired, .outcomeUnknown:
            break
        }
    }

    private mutating func retryRequested(until deadline: Timestamp, at now: Timestamp) {
        switch stage {
        case .failed, .canceled, .expired, .outcomeUnknown:
            (wantsCancel, lacksConsent, wasSeenPrinting) = (false, false, false)
            (failures, polls, pagesPrinted, printerUpTime) = (0, 0, 0, nil)
            expiresAt = deadline
            enter(.queued(nil), at: now)
        case .queued, .creating, .finding, .sending, .asking, .handing, .tracing, .discarding, .verifying, .sent,
            .printing,
            .blocked, .canceling, .completed:
            break
        }
    }

    /// No failure of anything's: the next look comes when it comes.
    private mutating func printerWithheld(until moment: Timestamp, at now: Timestamp) {
        guard case .queued = stage else { return }
        if wantsCancel { return enter(.canceled, at: now) }
        enter(.queued(.printerDisabled), at: now, after: max(.zero, min(moment, expiresAt) - now))
        judgeDeadline(at: now)
    }

    private mutating func outcomeTold(_ outcome: PrintOutcome, at now: Timestamp) {
        guard case .outcomeUnknown = stage else { return }
        switch outcome {
        case .printed: enter(.completed, at: now)
        case .notPrinted: enter(.failed(.notPrinted), at: now)
        case .dropped: enter(.canceled, at: now)
        }
    }

    private mutating func printerChecked(_ printer: PrinterSnapshot, at now: Timestamp) {
        guard case .queued = stage else { return }
        let operations = printer.operations
        // Create-Job and Send-Document: only so can a lost answer never cost a page.
        let isCreated = operations.isEmpty || (operations.contains(0x0005) && operations.contains(0x0006))
        guard isCreated || operations.contains(0x0002) else { return enter(.failed(.printerUnusable), at: now) }
        if !printer.isAcceptingJobs { return waitQueued(.notAccepting, at: now) }
        if printer.stateReasons.contains(where: { $0.hasPrefix("spool-area-full") }) {
            return waitQueued(.busy, at: now)
        }
        printerUpTime = printer.upTime
        printsWhenAsked = printer.printsWhenAsked
        wasSeenPrinting = false
        attempt += 1
        enter(isCreated ? .creating : .handing, at: now)
    }

    /// Create-Job was answered, or its job found: the number is stored before the next step.
    private mutating func jobOpened(_ job: RemoteJobID, at now: Timestamp) {
        switch stage {
        case .creating, .finding:
            failures = 0
            enter(wantsCancel ? .discarding(job, then: .cancel, isDoubtful: false) : .sending(job), at: now)
        case .tracing:
            failures = 0
            enter(.verifying(job), at: now)
        case .queued, .sending, .asking, .handing, .discarding, .verifying, .sent, .printing, .blocked, .canceling,
            .completed,
            .failed,
            .canceled, .expired, .outcomeUnknown:
            break
        }
    }

    mutating func jobNotFound(at now: Timestamp) {
        switch stage {
        case .finding(let wait):
            if wantsCancel { return enter(.canceled, at: now) }
            waitQueued(wait, at: now)
        case .tracing:
            // It may list the job a little later; that it never had one is not said by its not being there.
            if now >= stageSince + PrintSchedule.tracingMax { return enter(.outcomeUnknown(.answerLost), at: now) }
            failures += 1
            enter(.tracing, at: now, after: PrintSchedule.retryDelay(failures: failures))
        case .queued, .creating, .sending, .asking, .handing, .discarding, .verifying, .sent, .printing, .blocked,
            .canceling,
            .completed, .failed, .canceled, .expired, .outcomeUnknown:
            break
        }
    }

    private mutating func jobAccepted(_ job: RemoteJobID, at now: Timestamp) {
        guard case .handing = stage else { return }
        arrived(as: job, at: now)
    }

    private mutating func documentUploaded(at now: Timestamp) {
        guard case .sending(let job) = stage, printsWhenAsked else { return }
        enter(wantsCancel ? .discarding(job, then: .cancel, isDoubtful: false) : .asking(job), at: now)
    }

    private mutating func documentSent(at now: Timestamp) {
        switch stage {
        case .sending(let job) where !printsWhenAsked: arrived(as: job, at: now)
        case .asking(let job): arrived(as: job, at: now)
        default: break
        }
    }

    private mutating func arrived(as job: RemoteJobID, at now: Timestamp) {
        (failures, polls) = (0, 0)
        if wantsCancel { return enter(.canceling(job, for: .person, isAsked: false), at: now) }
        enter(.sent(job), at: now, after: PrintSchedule.pollDelay(polls: 0))
    }

    private mutating func cancelAccepted(at now: Timestamp) {
        switch stage {
        // Some printers print what they have of a page though they said that it was taken back: how it ended is asked first.
        case .discarding(let job, .requeue(.answerLost), false):
            failures = 0
            enter(
                .discarding(job, then: .requeue(.answerLost), isDoubtful: true),
                at: now,
                after: PrintSchedule.settling
            )
        case .discarding(_, let sequel, false): follow(sequel, at: now)
        case .canceling(let job, let end, _):
            (failures, polls) = (0, 0)
            enter(.canceling(job, for: end, isAsked: true), at: now, after: PrintSchedule.pollDelay(polls: 0))
        case .queued, .creating, .finding, .sending, .asking, .handing, .tracing, .discarding, .verifying, .sent,
            .printing,
            .blocked, .completed, .failed, .canceled, .expired, .outcomeUnknown:
            break
        }
    }

    /// Waits in the queue, one failure older.
    mutating func waitQueued(_ wait: PrintWait?, at now: Timestamp) {
        if wantsCancel { return enter(.canceled, at: now) }
        failures += 1
        enter(.queued(wait), at: now, after: PrintSchedule.retryDelay(failures: failures))
        judgeDeadline(at: now)
    }

    mutating func follow(_ sequel: Sequel, at now: Timestamp) {
        switch sequel {
        case .requeue(let wait): waitQueued(wait, at: now)
        case .cancel: enter(.canceled, at: now)
        case .expire: enter(.expired, at: now)
        case .fail(let fail): enter(.failed(fail), at: now)
        }
    }
}
