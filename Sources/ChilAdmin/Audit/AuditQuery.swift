import ChilCore
import ChilCrypto
import ChilStore

/// Which rows of the audit are wanted.
struct AuditQuery: Equatable, Sendable {
    var actor: String?
    var action: String?
    var target: String?
    var since: Moment?
    var until: Moment?

    static let flags: [CommandGuide.Flag] = [
        .flag("--actor", "NAME", "only by this one: a user's number or an operator's name"),
        .flag("--action", "WORD", "only this: session.end, or session.* for all that begin so"),
        .flag("--target", "TEXT", "only on this: a number or a name"),
        .flag("--since", "TIME", "that came then or later: a moment, a day, or a length ago such as 2h"),
    ]
    static let untilFlag = CommandGuide.Flag.flag("--until", "TIME", "that came before then")

    init() {}

    init(_ words: inout ArgumentReader, hasEnd: Bool) throws(UsageError) {
        actor = try words.optional("--actor")
        action = try words.optional("--action")
        target = try words.optional("--target")
        since = try words.optional("--since")
        if hasEnd { until = try words.optional("--until") }
    }

    func filter(at now: Timestamp) -> AuditFilter {
        var filter = AuditFilter()
        filter.actor = actor
        filter.action = action
        filter.target = target
        filter.since = since?.timestamp(at: now)
        filter.until = until?.timestamp(at: now)
        return filter
    }
}

/// Where a page of the audit ended: the time when its last row came, and its number.
struct AuditCursor: ArgumentValue, Equatable, Sendable {
    static let expectation = "a cursor as the list before gave it"

    let place: AuditPlace

    init(_ place: AuditPlace) {
        self.place = place
    }

    init?(argument: String) {
        let parts = argument.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let microseconds = Int64(parts[0]), let audit = Int64(parts[1]) else { return nil }
        place = AuditPlace(recordedAt: Timestamp(microseconds: microseconds), audit: audit)
    }

    var text: String { "\(place.recordedAt.microseconds).\(place.audit)" }
}

/// A head of a chain that an operator kept: `1042:9f86…`.
struct KeptHead: ArgumentValue, Equatable, Sendable {
    static let expectation = "SEQUENCE:DIGEST as an earlier `audit verify` told it"

    let head: AuditHead

    init(_ head: AuditHead) {
        self.head = head
    }

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let sequence = Int64(parts[0]), sequence >= 0, let bytes = Hex.decode(String(parts[1])),
            let digest = Digest256(bytes)
        else { return nil }
        head = AuditHead(sequence: sequence, digest: digest)
    }

    var text: String { "\(head.sequence):\(head.digest.hex)" }
}
