import ChilCore
import ChilDatabase

/// `scans.json`: pages that came and are no drawings yet. What became one is among the drawings; of what failed nothing is kept.
struct WaitingScanPage: ExportPage {
    static let sql = SQL(
        """
        select s.scan_id, json_strip_nulls(json_build_object(
                   'scanId', s.scan_id, 'state', s.state, 'mediaType', s.media_type, 'byteCount', s.byte_count,
                   'sha256', encode(s.hash, 'hex'), 'page', s.page, 'sourceId', s.source_id, 'receivedAt', \(exported("s.received_at")),
                   'image', (select 'images/scan-' || s.scan_id || case s.media_type when 'image/jpeg' then '.jpg'
                                                                        when 'application/pdf' then '.pdf' else '.png' end
                               from image i where i.tenant_id = $1 and i.owner_id = $2 and i.hash = s.hash)
               ))::text
          from scan s
         where s.tenant_id = $1 and s.owner_id = $2 and s.scan_id < $3 and s.state = 'waiting'
         order by s.scan_id desc limit \(countMax)
        """
    )

    let place: ExportPlace

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        place = ExportPlace(user: user, tenant: tenant, before: before)
    }

    func bind(_ values: inout BoundValues) { place.bind(&values) }
}

/// The bytes of such pages. Those of one that waited too long are gone before it is known to have failed.
struct WaitingImagePage: Statement {
    static let countMax = 200
    static let sql = SQL(
        """
        select s.scan_id, s.hash, s.media_type, s.byte_count
          from scan s join image i on i.tenant_id = $1 and i.owner_id = $2 and i.hash = s.hash
         where s.tenant_id = $1 and s.owner_id = $2 and s.scan_id < $3 and s.state = 'waiting'
         order by s.scan_id desc limit \(countMax)
        """
    )

    let place: ExportPlace

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        place = ExportPlace(user: user, tenant: tenant, before: before)
    }

    func bind(_ values: inout BoundValues) { place.bind(&values) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> ExportImage {
        ExportImage(try row.id(0), row.bytes(1), mediaType: row.text(2), byteCount: try row.int64(3))
    }
}

/// Whether a page waits still and its bytes are there.
struct ScanWaits: Statement {
    static let sql = SQL(
        """
        select exists (
                   select from scan s join image i on i.tenant_id = $1 and i.owner_id = $2 and i.hash = s.hash
                    where s.tenant_id = $1 and s.owner_id = $2 and s.scan_id = $3 and s.state = 'waiting'
               )
        """
    )

    let scan: ScanID
    let user: UserID
    let tenant: TenantID

    init(_ scan: ScanID, of user: UserID, in tenant: TenantID) {
        self.scan = scan
        self.user = user
        self.tenant = tenant
    }

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(scan)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
