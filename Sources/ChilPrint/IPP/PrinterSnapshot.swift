/// What a printer says of itself and its state (RFC 8011 §5.4, PWG 5100.7, 5100.14). Missing attributes are empty or `nil`.
package struct PrinterSnapshot: Hashable, Sendable {
    package let makeAndModel: String?
    /// The same for ever, whatever its address or name.
    package let uuid: String?
    package let versions: [String]
    /// 3 idle, 4 processing, 5 stopped.
    package let state: Int32?
    package let stateReasons: [String]
    /// In the printer's own words.
    package let stateMessage: String?
    package let isAcceptingJobs: Bool
    /// What is sent is one of these; one that was refused nevertheless is taken out.
    package var documentFormats: [String]
    package let compressions: [String]
    package let operations: [Int32]
    package let takesManyDocuments: Bool?
    /// Names of the paper that is loaded.
    package let mediaReady: [String]
    /// The paper that is loaded, with its edges. Some printers tell only one of the two.
    package let mediaColReady: [MediaReady]
    package let mediaDefault: String?
    package let mediaColDefault: MediaReady?
    package let mediaSupported: [String]
    /// The members that `media-col` may have.
    package let mediaColMembers: [String]
    /// The job attributes that may be sent.
    package let creationAttributes: [String]
    package let printScalings: [String]
    package let sides: [String]
    package let copiesMax: Int32?
    /// Square ones, in dots per inch: those for PWG raster if it tells them, else the printer's own.
    package let resolutions: [Int]
    /// Pixels that it takes as PWG raster, as in `srgb_8` and `sgray_8`.
    package let rasterTypes: [String]
    /// How the back of a two-sided raster lies.
    package let rasterSheetBack: String?
    package let colorModes: [String]
    /// Seconds since the printer was started: a step back means that its jobs are gone.
    package let upTime: Int32?
    /// A page that has arrived there is not printed before it is asked for by a request of its own.
    package var printsWhenAsked = false

    package init(_ group: IPPMessage.Group) {
        makeAndModel = group.first("printer-make-and-model")?.string
        uuid = group.first("printer-uuid")?.string
        versions = group.strings("ipp-versions-supported")
        state = group.first("printer-state")?.number
        stateReasons = group.strings("printer-state-reasons").filter { $0 != "none" }
        stateMessage = group.first("printer-state-message")?.string.flatMap { $0.isEmpty ? nil : $0 }
        isAcceptingJobs = group.first("printer-is-accepting-jobs") != .boolean(false)
        documentFormats = group.strings("document-format-supported")
        compressions = group.strings("compression-supported")
        operations = group.values(of: "operations-supported").compactMap(\.number)
        takesManyDocuments = group.first("multiple-document-jobs-supported")?.flag
        mediaReady = group.strings("media-ready")
        mediaColReady = group.values(of: "media-col-ready").compactMap { MediaReady($0) }
        mediaDefault = group.first("media-default")?.string
        mediaColDefault = group.first("media-col-default").flatMap { MediaReady($0) }
        mediaSupported = group.strings("media-supported")
        mediaColMembers = group.strings("media-col-supported")
        creationAttributes = group.strings("job-creation-attributes-supported")
        printScalings = group.strings("print-scaling-supported")
        sides = group.strings("sides-supported")
        copiesMax = group.first("copies-supported")?.upperBound
        let raster = group.values(of: "pwg-raster-document-resolution-supported").compactMap(\.dotsPerInch)
        let own = group.values(of: "printer-resolution-supported").compactMap(\.dotsPerInch)
        resolutions = raster.isEmpty ? own : raster
        rasterTypes = group.strings("pwg-raster-document-type-supported")
        rasterSheetBack = group.first("pwg-raster-document-sheet-back")?.string
        colorModes = group.strings("print-color-mode-supported")
        upTime = group.first("printer-up-time")?.number
    }

    /// Asked for one by one: some printers answer "all" with what they like.
    static let attributeNames = [
        "printer-make-and-model", "printer-uuid", "ipp-versions-supported", "printer-state", "printer-state-reasons",
        "printer-state-message", "printer-is-accepting-jobs", "document-format-supported", "compression-supported",
        "operations-supported", "multiple-document-jobs-supported", "media-ready", "media-col-ready", "media-default",
        "media-col-default", "media-supported", "media-col-supported", "job-creation-attributes-supported",
        "print-scaling-supported", "sides-supported", "copies-supported", "printer-resolution-supported",
        "pwg-raster-document-resolution-supported", "pwg-raster-document-type-supported",
        "pwg-raster-document-sheet-back", "print-color-mode-supported", "printer-up-time",
    ]
    static let conditionNames = [
        "printer-state", "printer-state-reasons", "printer-state-message", "printer-up-time",
    ]
}
