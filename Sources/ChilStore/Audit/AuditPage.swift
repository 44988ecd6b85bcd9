package import ChilCore
package import ChilDatabase

/// What of the audit is wanted.
package struct AuditFilter: Sendable, Equatable {
    package var actor: String?
    /// A word such as `session.end`, or what words begin with: `session.*`.
    package var action: String?
    package var target: String?
    /// When the rows came: from then on, and before then.
    package var since: Timestamp?
    package var until: Timestamp?

    package init() {}
}

/// Behind or before which row a page is: by the time when it came, then by its number.
package struct AuditPlace: Sendable, Equatable {
    package let recordedAt: Timestamp
    package let audit: Int64

    package init(recordedAt: Timestamp, audit: Int64 = .min) {
        self.recordedAt = recordedAt
        self.audit = audit
    }
}

/// Rows of the audit as they came, newest first or oldest first, a page at a time. For the operator's role.
package struct AuditPage: TenantStatement {
    package enum Direction: Sendable { case newestFirst, oldestFirst }

    package struct Row: Sendable, Equatable {
        package let row: AuditRow
        /// Its place in the chain; `nil`: not sealed yet.
        package let sequence: Int64?
        /// Where a session's row came from: as the session has it, as long as there is one.
        package let sessionAddress: String?

        /// Where the next page begins.
        package var place: AuditPlace {
            AuditPlace(recordedAt: AuditRow.moment(row.recordedAt), audit: row.id)
        }
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(Self.text(.newestFirst))

    package let tenant: TenantID
    let filter: AuditFilter
    let place: AuditPlace?
    let countMax: Int

    /// - Parameter place: the last row of the page before.
    package init(of tenant: TenantID, _ filter: AuditFilter, before place: AuditPlace? = nil, countMax: Int) {
        self.tenant = tenant
        self.filter = filter
        self.place = place
        self.countMax = countMax
    }

    static func text(_ direction: Direction) -> String {
        let (sign, order) = direction == .newestFirst ? ("<", "desc") : (">", "asc")
        return """
            select a.sequence, \(AuditRow.columns(of: "a")),
                   (select s.address
                      from session s
                     where s.tenant_id = $1
                       and s.session_id = case when a.action ~ '^session[.]' and a.target ~ '^[0-9]{1,18}$' then a.target::bigint end)
              from audit a
             where a.tenant_id = $1 and (a.recorded_at, a.audit_id) \(sign) ($2, $3)
               and a.recorded_at >= $4 and a.recorded_at < $5
               and ($6::text is null or a.actor = $6)
               and ($7::text is null or a.action = $7 or $8 and starts_with(a.action, $7))
               and ($9::text is null or a.target = $9)
             order by a.recorded_at \(order), a.audit_id \(order)
             limit $10
            """
    }

    package func bind(_ values: inout BoundValues) {
        bind(&values, .newestFirst)
    }

    fileprivate func bind(_ values: inout BoundValues, _ direction: Direction) {
        let first = AuditPlace(recordedAt: AuditTime.first, audit: .min)
        let last = AuditPlace(recordedAt: AuditTime.last, audit: .max)
        let place = place ?? (direction == .newestFirst ? last : first)
        let isPrefix = filter.action?.hasSuffix("*") ?? false
        values.append(tenant)
        values.append(place.recordedAt)
        values.append(place.audit)
        values.append(filter.since ?? AuditTime.first)
        values.append(filter.until ?? AuditTime.last)
        values.append(filter.actor)
        values.append(filter.action.map { isPrefix ? String($0.dropLast()) : $0 })
        values.append(isPrefix)
        values.append(filter.target)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            row: try AuditRow(row, from: 1),
            sequence: try row.int64OrNil(0),
            sessionAddress: row.textOrNil(1 + AuditRow.columns.count)
        )
    }
}

/// The same, oldest first: for whoever follows it.
package struct AuditFollowing: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(AuditPage.text(.oldestFirst))

    let page: AuditPage

    /// - Parameter place: the last row of the page before.
    package init(of tenant: TenantID, _ filter: AuditFilter, after place: AuditPlace?, countMax: Int) {
        page = AuditPage(of: tenant, filter, before: place, countMax: countMax)
    }

    package var tenant: TenantID { page.tenant }

    package func bind(_ values: inout BoundValues) {
        page.bind(&values, .oldestFirst)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> AuditPage.Row { try AuditPage.row(row) }
}

/// What stands for no limit: the ends of what `timestamptz` and RFC 3339 both can say.
enum AuditTime {
    static let first = Timestamp(seconds: -62_135_596_800)  // 0001-01-01T00:00:00Z
    static let last = Timestamp(seconds: 253_402_300_799)  // 9999-12-31T23:59:59Z
}
