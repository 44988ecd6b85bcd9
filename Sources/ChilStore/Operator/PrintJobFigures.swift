package import ChilCore
package import ChilDatabase

/// What became of a tenant's prints, by printer, state and reason: those that ended since a moment, and those that have not ended.
package struct PrintJobFigures: TenantStatement {
    package struct Row: Sendable, Equatable {
        /// The printer's name; empty: it is no more.
        package let printer: String
        package let state: PrintJobState
        package let reason: String?
        package let count: Int64
        /// When the oldest of them was asked for.
        package let oldest: Timestamp
        /// Of each, how long it waited for its printer, or waits: milliseconds.
        package let queued: [Int64]
        /// Of each that was printed, how long that took from its handing over.
        package let printed: [Int64]

        package init(
            printer: String,
            state: PrintJobState,
            reason: String?,
            count: Int64,
            oldest: Timestamp,
            queued: [Int64],
            printed: [Int64]
        ) {
            (self.printer, self.state, self.reason, self.count) = (printer, state, reason, count)
            (self.oldest, self.queued, self.printed) = (oldest, queued, printed)
        }
    }

    /// Of one tenant: the newest are counted.
    package static let countMax: Int64 = 100_000

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select coalesce((select p.name from printer p where p.tenant_id = $1 and p.printer_id = j.printer_id), ''),
               j.state, j.reason, count(*), min(j.created_at),
               string_agg((extract(epoch from greatest(interval '0', coalesce(j.taken_at, $4) - j.asked_at)) * 1000)::bigint::text, ' '),
               coalesce(string_agg((extract(epoch from greatest(interval '0', j.printed_at - j.handed_at)) * 1000)::bigint::text, ' ')
                   filter (where j.state = 'completed' and j.printed_at is not null and j.handed_at is not null), '')
          from (
               select w.printer_id, w.state, w.reason, w.created_at, coalesce(e.asked_at, w.created_at) as asked_at, e.taken_at,
                      e.handed_at, e.printed_at
                 from print_job w
                 left join lateral (
                      select min(v.at) as asked_at, min(v.at) filter (where v.state <> 'queued') as taken_at,
                             min(v.at) filter (where v.state = 'submitting') as handed_at,
                             max(v.at) filter (where v.state = 'completed') as printed_at
                        from print_job_event v
                       where v.tenant_id = $1 and v.job_id = w.job_id and v.sequence >= w.run_from
                      ) as e on true
                where w.tenant_id = $1 and w.created_at > $2::timestamptz - interval '30 days'
                  and (w.updated_at >= $2 or w.state not in ('completed', 'failed', 'canceled', 'expired', 'outcomeUnknown'))
                  and ($3 = '' or w.printer_id in (select n.printer_id from printer n where n.tenant_id = $1 and n.name = $3))
                order by w.tenant_id, w.created_at desc limit $5
               ) as j
         group by j.printer_id, j.state, j.reason
        """
    )

    package let tenant: TenantID
    let since: Timestamp
    let printer: String
    let now: Timestamp

    /// - Parameters:
    ///   - since: those that ended before are not counted.
    ///   - printer: `nil`: at all of them.
    package init(of tenant: TenantID, since: Timestamp, at printer: String?, now: Timestamp) {
        self.tenant = tenant
        self.since = since
        self.printer = printer ?? ""
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(since)
        values.append(printer)
        values.append(now)
        values.append(Self.countMax)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            printer: row.text(0),
            state: try row.word(1),
            reason: row.textOrNil(2),
            count: try row.int64(3),
            oldest: try row.timestamp(4),
            queued: row.text(5).split(separator: " ").compactMap { Int64($0) },
            printed: row.text(6).split(separator: " ").compactMap { Int64($0) }
        )
    }
}
