package import ChilCore
package import ChilDatabase

/// Tenants by slug, behind one, whose slug or name has a text in it.
package struct WatchTenants: Statement {
    package struct Row: Sendable {
        package let id: TenantID
        package let slug: String
        package let name: String
        package let state: TenantRecord.State
        package let createdAt: Timestamp
    }

    package static let sql = SQL(
        """
        select tenant_id, slug, name, state, created_at from tenant
         where slug > $1
           and ($2 = '' or position(lower($2) in slug) > 0 or position(normalize(lower($2)) in normalize(lower(name))) > 0)
         order by slug limit $3
        """
    )

    let after: String
    let filter: String
    let countMax: Int

    package init(after: String?, filter: String, countMax: Int) {
        self.after = after ?? ""
        self.filter = filter
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(after)
        values.append(filter)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            id: try row.id(0),
            slug: row.text(1),
            name: row.text(2),
            state: try row.word(3),
            createdAt: try row.timestamp(4)
        )
    }
}

/// Slugs that begin so.
package struct WatchSlugs: Statement {
    package static let sql = SQL(
        "select slug from tenant where slug >= $1 and starts_with(slug, $1) order by slug limit 20"
    )

    let prefix: String

    package init(prefix: String) {
        self.prefix = prefix
    }

    package func bind(_ values: inout BoundValues) {
        values.append(prefix)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

/// What some tenants are at: bounded counts of the last hour, the limit that is nearest, and what is wrong.
package struct WatchFigures: Statement {
    package struct Row: Sendable {
        package let tenant: TenantID
        package let signIns: Int64
        package let drawings: Int64
        package let nearest: (metric: String, used: Int64, limit: Int64)?
        package let stoppedPrinters: Int64
        package let refusedCredentials: Int64
        package let pausedWebhooks: Int64
    }

    package static let sql = SQL(
        """
        select e.tenant,
               (select count(*) from (select from session s where s.tenant_id = e.tenant and s.session_id >= $2 limit \(Watch.countMax)) as x),
               (select count(*) from (select from drawing d where d.tenant_id = e.tenant and d.drawing_id >= $2 limit \(Watch.countMax)) as x),
               n.metric, n.used, n.hard_limit,
               (select count(*) from printer p
                 where p.tenant_id = e.tenant and p.state = 'enabled' and p.seen_state in ('stopped', 'unreachable')),
               (select count(*) from provider v where v.tenant_id = e.tenant and v.credential_fault is not null),
               (select count(*) from webhook_endpoint w
                 where w.tenant_id = e.tenant and w.state = 'enabled' and w.paused_until > $3)
          from unnest($1::bigint[]) as e (tenant)
          left join lateral (
               select q.metric, case when q.resets_at <= $3 then 0 else q.used end as used, q.hard_limit
                 from quota q
                where q.tenant_id = e.tenant and q.scope = 'tenant'
                order by case when q.resets_at <= $3 then 0 else q.used end::double precision / greatest(q.hard_limit, 1) desc, q.metric
                limit 1
               ) as n on true
        """
    )

    let tenants: [TenantID]
    let since: Timestamp
    let now: Timestamp

    package init(of tenants: [TenantID], since: Timestamp, at now: Timestamp) {
        self.tenants = tenants
        self.since = since
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(int64s: tenants.map(\.rawValue))
        values.append(Watch.number(at: since))
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        var nearest: (metric: String, used: Int64, limit: Int64)?
        if let metric = row.textOrNil(3) { nearest = (metric, try row.int64(4), try row.int64(5)) }
        return Row(
            tenant: try row.id(0),
            signIns: try row.int64(1),
            drawings: try row.int64(2),
            nearest: nearest,
            stoppedPrinters: try row.int64(6),
            refusedCredentials: try row.int64(7),
            pausedWebhooks: try row.int64(8)
        )
    }
}

/// How many prints of some tenants have not ended.
package struct WatchWork: Statement {
    package static let sql = SQL(
        """
        select e.tenant,
               (select count(*) from (select from work w where w.tenant_id = e.tenant and w.kind = 'print' limit \(Watch.countMax)) as x)
          from unnest($1::bigint[]) as e (tenant)
        """
    )

    let tenants: [TenantID]

    package init(of tenants: [TenantID]) {
        self.tenants = tenants
    }

    package func bind(_ values: inout BoundValues) {
        values.append(int64s: tenants.map(\.rawValue))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> (tenant: TenantID, prints: Int64) {
        (try row.id(0), try row.int64(1))
    }
}

/// The last hour of one tenant by two minutes, the oldest first: sign-ins, drawings, prints. Rows have numbers by their time.
package struct WatchHour: TenantStatement {
    package static let access = Batch.Access.read
    package static let parts: Int64 = 30

    package static let sql = SQL(
        """
        select (select count(*) from (select from session s
                 where s.tenant_id = $1 and s.session_id >= $2::bigint + n.part * $3::bigint and s.session_id < $2::bigint + (n.part + 1) * $3::bigint
                 limit \(Watch.countMax)) as x),
               (select count(*) from (select from drawing d
                 where d.tenant_id = $1 and d.drawing_id >= $2::bigint + n.part * $3::bigint and d.drawing_id < $2::bigint + (n.part + 1) * $3::bigint
                 limit \(Watch.countMax)) as x),
               (select count(*) from (select from print_job j
                 where j.tenant_id = $1 and j.job_id >= $2::bigint + n.part * $3::bigint and j.job_id < $2::bigint + (n.part + 1) * $3::bigint
                 limit \(Watch.countMax)) as x)
          from generate_series(0::bigint, \(parts - 1)) as n (part)
         order by n.part
        """
    )

    package let tenant: TenantID
    let from: Int64
    let part: Int64

    package init(of tenant: TenantID, until now: Timestamp) {
        self.tenant = tenant
        from = Watch.number(at: now - .seconds(3_600))
        part = (Watch.number(at: now) - from) / Self.parts
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(from)
        values.append(part)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> (signIns: Int64, drawings: Int64, prints: Int64)
    {
        (try row.int64(0), try row.int64(1), try row.int64(2))
    }
}
