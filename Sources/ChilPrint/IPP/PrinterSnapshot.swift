/// What a printer says of itself and its state (RFC 8011 §5.4). Missing attributes are empty or `nil`.
package struct PrinterSnapshot: Hashable, Sendable {
    package let makeAndModel: String?
    /// 3 idle, 4 processing, 5 stopped.
    package let state: Int32?
    package let stateReasons: [String]
    package let isAcceptingJobs: Bool
    package let documentFormats: [String]
    package let operations: [Int32]
    package let mediaReady: [String]
    package let mediaSupported: [String]
    /// The job attributes that may be sent.
    package let creationAttributes: [String]
    package let printScalings: [String]
    package let sides: [String]
    /// Seconds since the printer was started: a step back means that its jobs are gone.
    package let upTime: Int32?

    init(_ group: IPPMessage.Group) {
        makeAndModel = group.first("printer-make-and-model")?.string
        state = group.first("printer-state")?.number
        stateReasons = group.strings("printer-state-reasons").filter { $0 != "none" }
        isAcceptingJobs = group.first("printer-is-accepting-jobs") != .boolean(false)
        documentFormats = group.strings("document-format-supported")
        operations = group.values(of: "operations-supported").compactMap(\.number)
        mediaReady = group.strings("media-ready")
        mediaSupported = group.strings("media-supported")
        creationAttributes = group.strings("job-creation-attributes-supported")
        printScalings = group.strings("print-scaling-supported")
        sides = group.strings("sides-supported")
        upTime = group.first("printer-up-time")?.number
    }

    static let attributeNames = [
        "printer-make-and-model", "printer-state", "printer-state-reasons", "printer-is-accepting-jobs",
        "document-format-supported", "operations-supported", "media-ready", "media-supported",
        "job-creation-attributes-supported", "print-scaling-supported", "sides-supported", "printer-up-time",
    ]
    static let conditionNames = ["printer-state", "printer-state-reasons", "printer-up-time"]
}
