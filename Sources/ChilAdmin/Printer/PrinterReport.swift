/// What a printer says of itself (Get-Printer-Attributes, RFC 8011 §4.2.5).
struct PrinterReport: ListingRow, Equatable {
    let name: String
    let uri: String
    let model: String?
    /// idle, processing or stopped.
    let state: String
    let stateReasons: [String]
    let isAcceptingJobs: Bool?
    let formats: [String]
    let media: [String]
    /// What is loaded, with its margins: left, top, right, bottom.
    var paper: [String] = []
    /// Dots per inch.
    var resolutions: [Int] = []
    var colorModes: [String] = []
    var rasterTypes: [String] = []
    /// Of IPP.
    var versions: [String] = []
    var uuid: String?
    /// Its key, and why it is trusted; by TLS only.
    var certificate: String?

    static let columns: [Column<Self>] = [
        Column("name") { .text($0.name) },
        Column("uri") { .text($0.uri) },
        Column("model") { .optional($0.model) },
        Column("state") { .text($0.state) },
        Column("stateReasons") { .list($0.stateReasons) },
        Column("acceptingJobs") { $0.isAcceptingJobs.map { .flag($0) } ?? .none },
        Column("formats") { .list($0.formats) },
        Column("media") { .list($0.media) },
        Column("paper") { .list($0.paper) },
        Column("resolutions") { .list($0.resolutions.map { "\($0) dpi" }) },
        Column("colorModes") { .list($0.colorModes) },
        Column("rasterTypes") { .list($0.rasterTypes) },
        Column("versions") { .list($0.versions) },
        Column("uuid") { .optional($0.uuid) },
        Column("certificate") { .optional($0.certificate) },
    ]
}
