import ChilCore
import ChilDatabase

/// Addresses for one push whose time is over, used or not.
struct ScanSessionSweep: Statement {
    typealias Row = Void

    static let sql = SQL(
        """
        delete from scan_session where tenant_id = $1 and token_digest = any (array(
            select token_digest from scan_session where tenant_id = $1 and expires_at < $2 order by expires_at limit $3
        ))
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now) }
}

/// Pages that became no drawing, once nobody asks any more why.
struct FailedScanSweep: Statement {
    typealias Row = Void

    static let life = Duration.seconds(30 * 86_400)
    static let sql = SQL(
        """
        delete from scan where tenant_id = $1 and scan_id = any (array(
            select scan_id from scan where tenant_id = $1 and state = 'failed' and ended_at < $2 order by ended_at limit $3
        ))
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now - Self.life) }
}
