import ChilCore

/// The machine as one column of text, so that a row holds exactly what the machine knows: `1 printing 7 attempt=1 …`.
/// The first word is the form's version; names are never reused for something else.
extension PrintJobMachine {
    private static let formVersion = "1"

    package var text: String {
        let numbers: [(String, Int64)] = [
            ("attempt", Int64(attempt)), ("cancel", wantsCancel ? 1 : 0), ("next", nextAt.microseconds),
            ("expires", expiresAt.microseconds), ("since", stageSince.microseconds), ("pages", Int64(pagesPrinted)),
            ("failures", Int64(failures)), ("polls", Int64(polls)), ("uptime", printerUpTime.map { Int64($0) } ?? -1),
        ]
        // An earlier release reads the rest.
        let flags = [("consent", lacksConsent), ("asked", printsWhenAsked), ("seen", wasSeenPrinting)].filter(\.1).map {
            ($0.0, Int64(1))
        }
        return ([Self.formVersion, stage.text] + (numbers + flags).map { "\($0.0)=\($0.1)" }).joined(separator: " ")
    }

    /// `nil` if the text was not written by `text` of this or an earlier release.
    package init?(text: String) {
        let words = text.split(separator: " ").map { String($0) }
        guard words.count >= 2, words[0] == Self.formVersion, let stage = Stage(text: words[1]) else { return nil }
        var numbers: [String: Int64] = [:]
        for word in words.dropFirst(2) {
            let parts = word.split(separator: "=", maxSplits: 1).map { String($0) }
            guard parts.count == 2, let number = Int64(parts[1]) else { return nil }
            numbers[parts[0]] = number
        }
        guard let attempt = numbers["attempt"].flatMap({ Int(exactly: $0) }), let cancel = numbers["cancel"],
            let next = numbers["next"], let expires = numbers["expires"], let since = numbers["since"],
            let pages = numbers["pages"].flatMap({ Int32(exactly: $0) }), let failures = numbers["failures"],
            let polls = numbers["polls"], let upTime = numbers["uptime"].flatMap({ Int32(exactly: $0) }),
            attempt >= 0, failures >= 0, polls >= 0
        else { return nil }
        self.init(at: Timestamp(microseconds: next), expiresAt: Timestamp(microseconds: expires))
        self.stage = stage
        self.attempt = attempt
        wantsCancel = cancel != 0
        lacksConsent = numbers["consent"] != nil
        printsWhenAsked = numbers["asked"] != nil
        wasSeenPrinting = numbers["seen"] != nil
        stageSince = Timestamp(microseconds: since)
        pagesPrinted = pages
        self.failures = Int(failures)
        self.polls = Int(polls)
        printerUpTime = upTime < 0 ? nil : upTime
    }
}

extension PrintJobMachine.Stage {
    fileprivate var text: String {
        switch self {
        case .queued(let wait): Self.text("queued", wait?.rawValue)
        case .creating: "creating"
        case .finding(let wait): Self.text("finding", wait?.rawValue)
        case .sending(let job): "sending:\(job.rawValue)"
        case .asking(let job): "asking:\(job.rawValue)"
        case .handing: "handing"
        case .tracing: "tracing"
        case .discarding(let job, let sequel, let isDoubtful):
            "discarding:\(job.rawValue):\(isDoubtful ? 1 : 0):\(sequel.text)"
        case .verifying(let job): "verifying:\(job.rawValue)"
        case .sent(let job): "sent:\(job.rawValue)"
        case .printing(let job): "printing:\(job.rawValue)"
        case .blocked(let job, let block): "blocked:\(job.rawValue):\(block.rawValue)"
        case .canceling(let job, let end, let isAsked): "canceling:\(job.rawValue):\(isAsked ? 1 : 0):\(end.rawValue)"
        case .completed: "completed"
        case .failed(let fail): "failed:\(fail.rawValue)"
        case .canceled: "canceled"
        case .expired: "expired"
        case .outcomeUnknown(let doubt): "outcomeUnknown:\(doubt.rawValue)"
        }
    }

    private static func text(_ name: String, _ argument: String?) -> String {
        argument.map { "\(name):\($0)" } ?? name
    }

    fileprivate init?(text: String) {
        let words = text.split(separator: ":").map { String($0) }
        let job = words.count > 1 ? RemoteJobID(rawValue: words[1]) : nil
        let last = words.count > 1 ? words[words.count - 1] : nil
        switch (words.first, words.count) {
        case ("queued", 1): self = .queued(nil)
        case ("finding", 1): self = .finding(nil)
        case ("creating", 1): self = .creating
        case ("handing", 1): self = .handing
        case ("tracing", 1): self = .tracing
        case ("completed", 1): self = .completed
        case ("canceled", 1): self = .canceled
        case ("expired", 1): self = .expired
        default:
            guard let last, let stage = Self.stage(words, last: last, job: job) else { return nil }
            self = stage
        }
    }

    private static func stage(_ words: [String], last: String, job: RemoteJobID?) -> Self? {
        switch (words[0], words.count) {
        case ("queued", 2): return PrintWait(rawValue: last).map { .queued($0) }
        case ("finding", 2): return PrintWait(rawValue: last).map { .finding($0) }
        case ("failed", 2): return PrintFail(rawValue: last).map { .failed($0) }
        case ("outcomeUnknown", 2): return PrintDoubt(rawValue: last).map { .outcomeUnknown($0) }
        case ("sending", 2): return job.map { .sending($0) }
        case ("asking", 2): return job.map { .asking($0) }
        case ("verifying", 2): return job.map { .verifying($0) }
        case ("sent", 2): return job.map { .sent($0) }
        case ("printing", 2): return job.map { .printing($0) }
        case ("blocked", 3):
            guard let job, let block = PrintBlock(rawValue: last) else { return nil }
            return .blocked(job, block)
        case ("canceling", 4):
            guard let job, let end = PrintEnd(rawValue: last), ["0", "1"].contains(words[2]) else { return nil }
            return .canceling(job, for: end, isAsked: words[2] == "1")
        case ("discarding", 4):
            guard let job, let sequel = PrintJobMachine.Sequel(text: last), ["0", "1"].contains(words[2]) else {
                return nil
            }
            return .discarding(job, then: sequel, isDoubtful: words[2] == "1")
        default: return nil
        }
    }
}

extension PrintJobMachine.Sequel {
    fileprivate var text: String {
        switch self {
        case .requeue(let wait): "requeue/\(wait.rawValue)"
        case .cancel: "cancel"
        case .expire: "expire"
        case .fail(let fail): "fail/\(fail.rawValue)"
        }
    }

    fileprivate init?(text: String) {
        let words = text.split(separator: "/").map { String($0) }
        switch (words.first, words.count) {
        case ("cancel", 1): self = .cancel
        case ("expire", 1): self = .expire
        case ("requeue", 2):
            guard let wait = PrintWait(rawValue: words[1]) else { return nil }
            self = .requeue(wait)
        case ("fail", 2):
            guard let fail = PrintFail(rawValue: words[1]) else { return nil }
            self = .fail(fail)
        default: return nil
        }
    }
}
