package import ChilCore
package import ChilDatabase

/// A printer as lists show it: with what was last seen of it, and what its lender lets it do.
package struct PrinterView: Sendable {
    /// What a worker saw when it last asked.
    package struct Seen: Sendable, Equatable {
        package enum State: String, Sendable, CaseIterable { case idle, processing, stopped, unreachable }

        package let state: State
        /// In the words of IPP (RFC 8011 §5.4.12).
        package let reasons: [String]
        package let at: Timestamp
    }

    package let record: PrinterRecord
    /// Where it really is; `nil`: it is the tenant's own.
    package let lender: PrintPlace?
    /// What the lender's is, for one that is borrowed.
    package let lenderState: PrinterRecord.State?
    /// `nil`: nobody has asked it yet.
    package let seen: Seen?
    /// The paper that it has, or can have; in the names of PWG 5101.1.
    package let media: [String]

    /// What it does for the tenant: its own state and its lender's, whichever is stricter.
    package var state: PrinterRecord.State { lenderState.map(record.state.stricter) ?? record.state }

    static let columns =
        PrinterRecord.columns
        + ", lender_tenant_id, lender_printer_id, lender_state, seen_at, seen_state, seen_reasons, seen_media"

    init(_ row: ResultRow) throws(DatabaseError) {
        record = try PrinterRecord(row)
        lender = try PrintPlace(lender: row, from: 7)
        lenderState = row.textOrNil(9).flatMap(PrinterRecord.State.init)
        if let at = try row.timestampOrNil(10) {
            seen = Seen(state: try row.word(11), reasons: row.textOrNil(12)?.lines ?? [], at: at)
        } else {
            seen = nil
        }
        media = row.textOrNil(13)?.lines ?? []
    }
}

extension String {
    fileprivate var lines: [String] { split(separator: "\n").map(String.init) }
}

/// The printers of a tenant that are not removed, the default first.
package struct PrinterViews: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select \(PrinterView.columns) from printer
         where tenant_id = $1 and state <> 'removed' order by is_default desc, name
        """
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterView { try PrinterView(row) }
}

/// One printer, removed or not.
package struct PrinterOne: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select \(PrinterRecord.columns) from printer where tenant_id = $1 and printer_id = $2"
    )

    let place: PrintPlace

    package init(_ place: PrintPlace) {
        self.place = place
    }

    package var tenant: TenantID { place.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(place.tenant)
        values.append(place.printer)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterRecord { try PrinterRecord(row) }
}

/// What a worker saw of a printer. Written when it is something else than before, and else once a minute at most: jobs are looked at
/// every second.
package struct PrinterSeen: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update printer
           set seen_at = $3, seen_state = $4, seen_reasons = $5, seen_media = coalesce($6, seen_media),
               seen_since = case when seen_state = $4 then coalesce(seen_since, $3) else $3 end
         where tenant_id = $1 and printer_id = $2
           and (seen_at is null or seen_at <= $3::timestamptz - interval '1 minute'
                or (seen_at <= $3 and (seen_state, seen_reasons, seen_media) is distinct from ($4, $5, coalesce($6, seen_media))))
        """
    )

    let place: PrintPlace
    let state: PrinterView.Seen.State
    let reasons: [String]
    let media: [String]?
    let now: Timestamp

    /// - Parameter media: `nil`: it was not asked for them.
    package init(
        _ place: PrintPlace,
        is state: PrinterView.Seen.State,
        reasons: [String],
        media: [String]?,
        at now: Timestamp
    ) {
        self.place = place
        self.state = state
        self.reasons = Self.bounded(reasons)
        self.media = media.map(Self.bounded)
        self.now = now
    }

    package var tenant: TenantID { place.tenant }

    package func bind(_ values: inout BoundValues) {
        values.append(place.tenant)
        values.append(place.printer)
        values.append(now)
        values.append(state.rawValue)
        values.append(reasons.joined(separator: "\n"))
        values.append(media.map { $0.joined(separator: "\n") })
    }

    /// A printer may say anything: so many words, and none that is no keyword of IPP.
    private static func bounded(_ words: [String]) -> [String] {
        words.lazy.filter { word in
            (1...wordBytesMax).contains(word.utf8.count) && word.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }.prefix(wordsMax).map { $0 }
    }

    private static let wordsMax = 64
    private static let wordBytesMax = 127
}
