package import ChilCore
package import ChilDatabase

/// Whether the limits leave room for staging an image, before a byte of it is stored: what is staged and then refused would lie there
/// until its lease ends, and could be more than the limit. The row is the limit that refuses; none: there is room.
///
/// A look, not a gate: `chil_create_drawing` decides. What others stage now is counted as used.
package struct StagingRoom: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select concat_ws(' ', l.metric, l.scope, l.window_kind, (extract(epoch from l.resets_at) * 1000000)::bigint)
          from (
               select q.metric, q.scope, q.window_kind, q.hard_limit,
                      \(OwnQuotas.used(tenant: "$1", user: "$2", now: "$5")) as used,
                      \(OwnQuotas.resetsAt(tenant: "$1", now: "$5")) as resets_at
                 from \(OwnQuotas.tables(tenant: "$1", user: "$2"))
                where q.tenant_id = $1 and q.metric in ('drawings', 'storage_bytes') and q.scope in ('tenant', 'user') and q.action = 'deny'
               ) as l
         where case l.metric
               when 'drawings' then 1
               else $4::bigint
                    + (
                        select coalesce(sum(s.byte_count), 0)::bigint
                          from image s
                         where s.tenant_id = $1 and s.staged_until is not null and (l.scope = 'tenant' or s.owner_id = $2)
                      )
               end + l.used > l.hard_limit
           and (l.metric = 'drawings'
                or not exists (select from image i where i.tenant_id = $1 and i.owner_id = $2 and i.hash = $3))
         order by l.resets_at desc nulls first, chil_metric_rank(l.metric), chil_rank(l.scope, l.window_kind) limit 1
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

    package static func row(_ row: ResultRow) throws(DatabaseError) -> QuotaRefusal {
        let text = row.text(0)
        guard let refusal = QuotaRefusal(text: text) else { throw .unknownWord(text) }
        return refusal
    }
}
