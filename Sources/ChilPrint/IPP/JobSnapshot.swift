/// What a printer says of a job (RFC 8011 §5.3).
package struct JobSnapshot: Hashable, Sendable {
    package enum State: Int32, Hashable, Sendable {
        case pending = 3
        case pendingHeld = 4
        case processing = 5
        case processingStopped = 6
        case canceled = 7
        case aborted = 8
        case completed = 9

        package var isFinal: Bool { rawValue >= Self.canceled.rawValue }
    }

    package let id: RemoteJobID?
    package let name: String?
    /// `nil` if the answer has none, or one that RFC 8011 doesn't know: then the answer tells nothing.
    package let state: State?
    package let stateReasons: [String]
    package let impressionsCompleted: Int32?

    package init(
        id: RemoteJobID?,
        name: String?,
        state: State?,
        stateReasons: [String],
        impressionsCompleted: Int32?
    ) {
        self.id = id
        self.name = name
        self.state = state
        self.stateReasons = stateReasons
        self.impressionsCompleted = impressionsCompleted
    }

    init(_ group: IPPMessage.Group) {
        id = group.first("job-id")?.number.map { RemoteJobID(number: $0) }
        name = group.first("job-name")?.string
        state = group.first("job-state")?.number.flatMap { State(rawValue: $0) }
        stateReasons = group.strings("job-state-reasons").filter { $0 != "none" }
        impressionsCompleted =
            (group.first("job-impressions-completed") ?? group.first("job-media-sheets-completed"))?.number
    }

    static let attributeNames = [
        "job-id", "job-name", "job-state", "job-state-reasons", "job-impressions-completed",
        "job-media-sheets-completed",
    ]
}
