import ChilCore
import ChilStore

/// All that is known of a printer without asking it.
struct PrinterDetailRow: ListingRow, Equatable {
    let printer: PrinterRow
    let waiting: Int
    let lentTo: [String]

    static let columns: [Column<Self>] =
        PrinterRow.columns.map { column in Column(column.key) { column.value($0.printer) } } + [
            Column("unfinishedJobs") { .number(Int64($0.waiting)) },
            Column("lentTo") { .list($0.lentTo) },
        ]
}
