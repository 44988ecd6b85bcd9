extension PrintPoll {
    /// The document has not (wholly) reached the printer (RFC 8011 §5.3.8).
    var isWaitingForDocument: Bool {
        (job.state == .pending || job.state == .pendingHeld)
            && job.stateReasons.contains { $0 == "job-data-insufficient" || $0 == "job-incoming" }
    }

    /// Why the job stands still, if it does, by the reasons of the job and of the printer: a printer without paper
    /// goes on calling its job "processing".
    var block: PrintBlock? {
        let reasons = job.stateReasons + (printer?.stateReasons ?? [])
        for (block, stems) in Self.stems {
            if reasons.contains(where: { reason in stems.contains { Self.has(reason, stem: $0) } }) { return block }
        }
        return job.state == .processingStopped || printer?.state == 5 ? .other : nil
    }

    /// The printer's service kept the job until its own time was up, and gives it up.
    var isExpired: Bool { job.state == .aborted && job.stateReasons.contains("job-expired") }

    /// Why the printer aborted the job.
    var abortReason: PrintFail {
        let reasons = job.stateReasons
        if reasons.contains("unsupported-document-format") { return .formatUnsupported }
        if reasons.contains("unsupported-attributes-or-values") { return .paperUnsupported }
        let refused: Set = ["document-format-error", "document-unprintable-error", "document-access-error"]
        return reasons.contains { refused.contains($0) } ? .documentRefused : .abortedByPrinter
    }

    /// In the order of what a person must mend first (RFC 8011 §5.4.12, PWG 5100.9).
    private static let stems: [(PrintBlock, [String])] = [
        (.paperJam, ["media-jam"]),
        (.coverOpen, ["cover-open", "door-open", "interlock-open", "input-tray-missing"]),
        (.paperEmpty, ["media-empty", "media-needed"]),
        (.inkEmpty, ["marker-supply-empty", "toner-empty", "marker-supply-missing"]),
        (.offline, ["offline", "shutdown", "connecting-to-device", "timed-out"]),
        (.other, ["paused", "moving-to-paused", "printer-stopped", "stopped-partly", "spool-area-full"]),
    ]

    /// A reason may carry its severity: `-error`, `-warning`, `-report`.
    private static func has(_ reason: String, stem: String) -> Bool {
        guard reason.hasPrefix(stem) else { return false }
        return ["", "-error", "-warning", "-report"].contains(String(reason.dropFirst(stem.count)))
    }
}
