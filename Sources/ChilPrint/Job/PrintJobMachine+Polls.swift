import ChilCore

extension PrintJobMachine {
    mutating func polled(_ poll: PrintPoll, at now: Timestamp) {
        guard awaitsPoll, let job = remoteJob else { return }
        // No state: a failure of the poll, not of the job.
        guard let state = poll.job.state else { return stepFailed(.answerLost(detail: "no job-state"), at: now) }
        // After a restart the printer counts its jobs from 1 again.
        if hasRestarted(poll.printer) && !poll.isOurs { return jobVanished(poll.printer, at: now) }
        failures = 0
        printerUpTime = poll.printer?.upTime ?? printerUpTime
        pagesPrinted = max(pagesPrinted, poll.job.impressionsCompleted ?? 0)
        if poll.job.state == .processing, poll.block == nil { wasSeenPrinting = true }

        if state.isFinal { return ended(state, poll, at: now) }
        if case .verifying = stage, poll.isWaitingForDocument {
            return enter(
                .discarding(job, then: wantsCancel ? .cancel : .requeue(.answerLost), isDoubtful: false),
                at: now
            )
        }
        if case .discarding(_, let sequel, _) = stage, poll.isWaitingForDocument, !sequel.mayHaveHalf {
            return follow(sequel, at: now)
        }
        let delay = PrintSchedule.pollDelay(polls: polls)
        polls += 1
        if case .canceling = stage {
            nextAt = now + delay
        } else if case .discarding = stage, poll.isWaitingForDocument {
            // It holds the half page still: how that ends is waited for.
            nextAt = now + delay
        } else if wantsCancel {
            enter(.canceling(job, for: .person, isAsked: false), at: now)
        } else if let block = poll.block {
            enter(.blocked(job, block), at: now, after: delay)
        } else {
            let isProcessing = state == .processing || state == .processingStopped
            enter(isProcessing ? .printing(job) : .sent(job), at: now, after: delay)
        }
        judgeDeadline(at: now)
    }

    private mutating func ended(_ state: JobSnapshot.State, _ poll: PrintPoll, at now: Timestamp) {
        if state == .completed { return enter(.completed, at: now) }
        switch stage {
        // Something came out already.
        case .discarding(_, .requeue, _) where pagesPrinted > 0: enter(.outcomeUnknown(.answerLost), at: now)
        case .discarding(_, let sequel, _): follow(sequel, at: now)
        case .canceling(_, .deadline, _): enter(.expired, at: now)
        case .canceling(_, .person, _): enter(.canceled, at: now)
        case .queued, .creating, .finding, .sending, .asking, .handing, .tracing, .verifying, .sent, .printing,
            .blocked,
            .completed, .failed, .canceled, .expired, .outcomeUnknown:
            if wantsCancel || state != .aborted { return enter(.canceled, at: now) }
            enter(poll.isExpired ? .expired : .failed(poll.abortReason), at: now)
        }
    }

    /// The printer answers and does not know the job. Printers forget what they have finished, as soon as it is finished some of them. So one
    /// that was seen to print and is gone was printed, and so was one that a printer had which has been up all the time, as CUPS takes it;
    /// unless the printer was switched off meanwhile. Where nothing is known of that, as of one behind a service, what was never seen to
    /// print may have been thrown away as well. One that may have had half of a page, and was taken back, may have been printed or not.
    mutating func jobVanished(_ printer: PrinterSnapshot?, at now: Timestamp) {
        switch stage {
        case .discarding(_, let sequel, _) where !sequel.mayHaveHalf: follow(sequel, at: now)
        case .discarding, .verifying:
            enter(.outcomeUnknown(hasRestarted(printer) ? .printerRestarted : .answerLost), at: now)
        case .canceling(_, let end, true): enter(end == .deadline ? .expired : .canceled, at: now)
        // It stood still when it was last seen: it may have been thrown away as well.
        case .blocked(_, let block) where block != .offline:
            enter(.outcomeUnknown(hasRestarted(printer) ? .printerRestarted : .answerLost), at: now)
        case .sent, .printing, .blocked, .canceling(_, _, false):
            if hasRestarted(printer) { return enter(.outcomeUnknown(.printerRestarted), at: now) }
            enter(hasEvidence || hasStayedUp(printer) ? .completed : .outcomeUnknown(.jobForgotten), at: now)
        case .queued, .creating, .finding, .sending, .asking, .handing, .tracing, .completed, .failed, .canceled,
            .expired,
            .outcomeUnknown:
            break
        }
    }

    /// The printer's own word that paper has moved.
    private var hasEvidence: Bool {
        if case .printing = stage { return true }
        return wasSeenPrinting || pagesPrinted > 0
    }

    /// It says so.
    private func hasStayedUp(_ printer: PrinterSnapshot?) -> Bool {
        guard let before = printerUpTime, let after = printer?.upTime else { return false }
        return after >= before
    }

    private func hasRestarted(_ printer: PrinterSnapshot?) -> Bool {
        guard let before = printerUpTime, let after = printer?.upTime else { return false }
        return after < before
    }

    private var awaitsPoll: Bool {
        switch stage {
        case .verifying, .sent, .printing, .blocked, .canceling, .discarding(_, _, true): true
        case .queued, .creating, .finding, .sending, .asking, .handing, .tracing, .discarding, .completed, .failed,
            .canceled,
            .expired, .outcomeUnknown:
            false
        }
    }
}
