package import ChilCore
package import ChilDatabase

/// Whether the tenant's limits leave room for staging an image, before a byte of it is stored: what is staged and then refused would
/// lie there until its lease ends, and could be more than the limit. The row is the limit that refuses; none: there is room.
///
/// A look, not a gate: `chil_create_drawing` decides. What others stage now is counted as used.
package struct StagingRoom: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select q.metric
          from quota q
         where q.tenant_id = $1 and q.metric in ('drawings', 'storage_bytes')
           and case when q.resets_at <= $5 then 0 else q.used end
               + case q.metric
                 when 'drawings' then 1
                 else $4::bigint + (select coalesce(sum(s.byte_count), 0)::bigint from image s where s.tenant_id = $1 and s.staged_until is not null)
                 end > q.hard_limit
           and (q.metric = 'drawings'
                or not exists (select from image i where i.tenant_id = $1 and i.owner_id = $2 and i.hash = $3))
         order by q.metric limit 1
        """
    )

    package let tenant: TenantID
    let owner: UserID
    let image: ImageFacts
    let now: Timestamp

    package init(for image: ImageFacts, of owner: UserID, in tenant: TenantID, at now: Timestamp) {
        self.tenant = tenant
        self.owner = owner
        self.image = image
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(owner)
        values.append(image.hash)
        values.append(image.byteCount)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> QuotaMetric { try row.word(0) }
}
