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

/// Pages that became no drawing, once nobody asks any more why; nothing of users who are on hold.
struct FailedScanSweep: Statement {
    typealias Row = Void

    static let life = Duration.seconds(30 * 86_400)
    static let sql = SQL(
        """
        delete from scan where tenant_id = $1 and scan_id = any (array(
            select s.scan_id from scan s
             where s.tenant_id = $1 and s.state = 'failed' and s.ended_at < $2
               and not exists (select from user_hold h where h.tenant_id = $1 and h.user_id = s.owner_id)
             order by s.ended_at limit $3
        ))
        """
    )

    let sweep: Sweep

    func bind(_ values: inout BoundValues) { sweep.bind(&values, before: sweep.now - Self.life) }
}
