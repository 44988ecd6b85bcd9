import ChilCore
import ChilStore

/// A scanner that pushes pages to a tenant.
struct ScannerRow: ListingRow, Equatable {
    let id: Int64
    let name: String
    let user: Int64
    let serial: String?
    let lastScanAt: String?
    let createdAt: String

    static let columns: [Column<Self>] = [
        Column("name") { .text($0.name) },
        Column("user") { .number($0.user) },
        Column("serial") { .optional($0.serial) },
        Column("lastScanAt") { .optional($0.lastScanAt) },
        Column("createdAt") { .text($0.createdAt) },
        Column("id", listed: false) { .number($0.id) },
    ]
}

/// A scanner's address, the one time that it is known.
struct ScannerAddressRow: ListingRow, Equatable {
    static let note = "Register the address at Epson Connect (docs/scanning.md): it is not shown again."

    let id: Int64
    let name: String
    let url: String
    /// `nil`: nobody asked for that.
    var destination: DestinationOutcome?

    /// What to do with it.
    var notes: [String] {
        switch destination {
        case nil: [Self.note]
        case .registered(let alias):
            [
                "It is registered at Epson Connect: choose '\(alias)' at the printer to scan to it.",
                "The address is not shown again.",
            ]
        case .failed(let why):
            ["It is good, but not registered at Epson Connect: \(why)", "By hand: docs/scanning.md. " + Self.note]
        }
    }

    static let columns: [Column<Self>] = [
        Column("name") { .text($0.name) },
        Column("url") { .text($0.url) },
        Column("id", listed: false) { .number($0.id) },
    ]
}

extension ScannerRow {
    init(_ record: ScannerRecord) {
        self.init(
            id: record.id.rawValue,
            name: record.name,
            user: record.owner.rawValue,
            serial: record.serial,
            lastScanAt: record.lastScanAt.map { "\($0)" },
            createdAt: "\(record.createdAt)"
        )
    }
}
