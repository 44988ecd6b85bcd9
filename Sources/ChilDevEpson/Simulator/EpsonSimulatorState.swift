/// What a simulated Epson Connect knows. A value: time is a parameter.
struct EpsonSimulatorState {
    typealias Instant = ContinuousClock.Instant

    enum Phase: Equatable {
        case preparing, pending, processing, mediaEmpty, mediaJam, canceled, completed, expired
    }

    struct Job {
        let isV1: Bool
        let name: String
        let key: String
        var uploads: [String: Int] = [:]
        var phase = Phase.preparing
        var since: Instant
    }

    struct Destination {
        let id: String
        var alias: String
        var type: String
        var destination: String
    }

    let settings: EpsonSimulatorSettings
    var access: [String: Instant] = [:]
    var applicationAccess: Set<String> = []
    var refreshV1: Set<String> = []
    /// The only one that is good, of generation 2.
    var refresh: String?
    var usedRefresh: Set<String> = []
    var codes: [String: String] = [:]
    var refreshCount = 0
    var reuseCount = 0

    var jobs: [String: Job] = [:]
    var order: [String] = []
    /// Asked to be printed, and not over.
    var queue: [String] = []
    var papers: [String] = []
    var sheets: Int?
    var isJammed = false
    var isConnected = true
    var isAllowed = true
    var destinations: [Destination] = []
    var callback: String?
    var notices: [(url: String, body: String)] = []
    var toldCount = 0

    var quirks: [(operation: EpsonOperation, quirk: EpsonQuirk)] = []
    var calls: [EpsonOperation] = []
    var judged: [EpsonOperation] = []
    /// When it was advanced last, which is just before anything is asked of it.
    private(set) var now: Instant
    private var count = 0

    private static let noticesMax = 1_000

    init(_ settings: EpsonSimulatorSettings, at now: Instant) {
        self.settings = settings
        self.now = now
    }

    mutating func word(_ kind: String) -> String {
        count += 1
        return "\(kind)-\(count)-\(UInt64.random(in: 0...(.max)))"
    }

    mutating func takeQuirk(_ operation: EpsonOperation) -> EpsonQuirk? {
        guard let index = quirks.firstIndex(where: { $0.operation == operation }) else { return nil }
        return quirks.remove(at: index).quirk
    }

    /// The printer prints one job after the other: first it waits, then paper comes out, if there is any.
    mutating func advance(to now: Instant) {
        self.now = now
        while isConnected, let id = queue.first, var job = jobs[id] {
            let isDue = now >= job.since + settings.pace
            let before = job.phase
            switch job.phase {
            case .pending where isDue:
                (job.phase, job.since) = (.processing, now)
            case .processing where isJammed: job.phase = .mediaJam
            case .processing where sheets == 0: job.phase = .mediaEmpty
            case .mediaEmpty where sheets != 0, .mediaJam where !isJammed:
                (job.phase, job.since) = (.processing, now)
            case .processing where isDue:
                job.phase = .completed
                papers.append(id)
                if let left = sheets { sheets = left - 1 }
                queue.removeFirst()
            default: break
            }
            jobs[id] = job
            guard job.phase != before else { return }
            if job.phase != .processing { tell(id, job, job.phase) }
        }
    }

    mutating func tell(_ id: String, _ job: Job, _ phase: Phase) {
        guard let callback else { return }
        toldCount += 1
        let status =
            job.isV1
            ? #"{"Status":"\#(EpsonStatus.spoken(phase))","StatusReason":"\#(EpsonStatus.spokenReason(phase))","UpdateDate":"2021/08/06 06:42:13"}"#
            : #""\#(EpsonStatus.v2(phase))""#
        let rest = job.isV1 ? "" : #","UpdateDate":"2021/08/06 06:42:13""#
        let kind = job.isV1 ? "" : #""Type":"ImmediatePrint","#
        // Nobody fetches them when nothing serves.
        if notices.count >= Self.noticesMax { notices.removeFirst() }
        notices.append((callback, #"{"Param":{\#(kind)"JobId":"\#(id)","JobStatus":\#(status)\#(rest)}}"#))
    }
}

/// The words for a job's state.
enum EpsonStatus {
    static func v1(_ phase: EpsonSimulatorState.Phase) -> (status: String, reason: String) {
        switch phase {
        case .preparing: ("pending_held", "job_incoming")
        case .pending: ("pending", "job_queued")
        case .processing: ("processing", "none")
        case .mediaEmpty: ("processing_stopped", "media_empty")
        case .mediaJam: ("processing_stopped", "media_jam")
        case .canceled: ("canceled", "none")
        // Of generation 2; nothing says what generation 1 calls it.
        case .expired: ("error_occurred", "none")
        case .completed: ("completed", "none")
        }
    }

    static func v2(_ phase: EpsonSimulatorState.Phase) -> String {
        switch phase {
        case .preparing: "preparing"
        case .pending: "pending"
        case .processing: "processing"
        case .mediaEmpty: "media_empty"
        case .mediaJam: "media_jam"
        case .canceled: "canceled"
        case .expired: "expired"
        case .completed: "completed"
        }
    }

    /// As callbacks of generation 1 write it: `Pending`.
    static func spoken(_ phase: EpsonSimulatorState.Phase) -> String { camel(v1(phase).status) }
    static func spokenReason(_ phase: EpsonSimulatorState.Phase) -> String { camel(v1(phase).reason) }

    private static func camel(_ word: String) -> String {
        word.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}
