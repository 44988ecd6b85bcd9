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

    static let columns: [Column<Self>] = [
        Column("name") { .text($0.name) },
        Column("uri") { .text($0.uri) },
        Column("model") { .optional($0.model) },
        Column("state") { .text($0.state) },
        Column("stateReasons") { .list($0.stateReasons) },
        Column("acceptingJobs") { $0.isAcceptingJobs.map { .flag($0) } ?? .none },
        Column("formats") { .list($0.formats) },
        Column("media") { .list($0.media) },
    ]
}
