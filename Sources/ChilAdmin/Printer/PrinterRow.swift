import ChilCore
import ChilStore

/// A printer that a tenant's drawings may go to.
struct PrinterRow: ListingRow, Equatable {
    let id: Int64
    let name: String
    let uri: String
    let isDefault: Bool
    var disclosedTo: String?
    /// By TLS: trusted, changed or expired.
    var certificate: String?
    var kind = PrinterRecord.Kind.ipp
    /// enabled, draining or disabled; for one that is borrowed the stricter one of both.
    var state = "enabled"
    /// As workers last saw it: idle, processing, stopped or unreachable.
    var live: String?
    var reasons: [String] = []
    var seenAt: String?
    /// The tenant that lends it.
    var lentBy: String?

    static let columns: [Column<Self>] = [
        Column("name") { .text($0.name) },
        Column("kind", listed: false) { .text($0.kind.rawValue) },
        Column("uri") { .text($0.uri) },
        Column("default") { .flag($0.isDefault) },
        Column("disclosedTo") { .optional($0.disclosedTo) },
        Column("certificate", listed: false) { .optional($0.certificate) },
        Column("state") { .text($0.state) },
        Column("live") { .optional($0.live) },
        Column("reasons") { .list($0.reasons) },
        Column("seenAt", listed: false) { .optional($0.seenAt) },
        Column("lentBy") { .optional($0.lentBy) },
        Column("id", listed: false) { .number($0.id) },
    ]
}

extension PrinterCertificate {
    /// `nil`: the printer was not met by TLS yet.
    var state: String? {
        fault?.rawValue ?? (key == nil ? nil : "trusted")
    }
}

extension PrinterRow {
    init(_ record: PrinterRecord) {
        self.init(
            id: record.id.rawValue,
            name: record.name,
            uri: record.uri,
            isDefault: record.isDefault,
            disclosedTo: record.disclosedTo,
            kind: record.kind,
            state: record.state.rawValue
        )
    }

    init(_ view: PrinterView, lender: String?) {
        self.init(view.record)
        state = view.state.rawValue
        live = view.seen?.state.rawValue
        reasons = view.seen?.reasons ?? []
        seenAt = view.seen.map { $0.at.description }
        lentBy = lender
    }
}
