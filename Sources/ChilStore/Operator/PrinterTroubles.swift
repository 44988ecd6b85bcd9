package import ChilCore
package import ChilDatabase

/// Printers that print nothing just now, of some tenants, those of longest first.
package struct PrinterTroubles: Statement {
    package struct Row: Sendable, Equatable {
        package let tenant: TenantID
        package let printer: String
        /// `nil`: nobody has asked it yet.
        package let state: PrinterView.Seen.State?
        /// In the words of IPP.
        package let reasons: [String]
        /// `changed` or `expired`.
        package let certificateFault: String?
        package let since: Timestamp?

        package init(
            tenant: TenantID,
            printer: String,
            state: PrinterView.Seen.State?,
            reasons: [String],
            certificateFault: String?,
            since: Timestamp?
        ) {
            (self.tenant, self.printer, self.state) = (tenant, printer, state)
            (self.reasons, self.certificateFault, self.since) = (reasons, certificateFault, since)
        }
    }

    package static let countMax = 200

    package static let sql = SQL(
        """
        select e.tenant, f.name, f.seen_state, f.seen_reasons, f.tls_fault, coalesce(f.seen_since, f.seen_at)
          from unnest($1::bigint[]) as e (tenant)
          join lateral (
               select p.name, p.seen_state, p.seen_reasons, p.tls_fault, p.seen_since, p.seen_at
                 from printer p
                where p.tenant_id = e.tenant and p.state in ('enabled', 'draining') and p.lender_tenant_id is null
                  and (p.seen_state in ('stopped', 'unreachable') or p.tls_fault is not null)
                limit \(countMax)
               ) as f on true
         order by 6 nulls last, 1, 2 limit \(countMax)
        """
    )

    let tenants: [TenantID]

    package init(of tenants: [TenantID]) {
        self.tenants = tenants
    }

    package func bind(_ values: inout BoundValues) {
        values.append(int64s: tenants.map(\.rawValue))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            tenant: try row.id(0),
            printer: row.text(1),
            state: row.textOrNil(2).flatMap(PrinterView.Seen.State.init),
            reasons: row.textOrNil(3)?.split(separator: "\n").map(String.init) ?? [],
            certificateFault: row.textOrNil(4),
            since: try row.timestampOrNil(5)
        )
    }
}

/// When the audit of some tenants was last sealed, and when one of their servers was last told of something.
package struct LastDone: Statement {
    package struct Row: Sendable, Equatable {
        package let sealed: Timestamp?
        package let delivered: Timestamp?
    }

    package static let sql = SQL(
        """
        select max((select l.sealed_at from audit_link l where l.tenant_id = e.tenant order by l.sequence desc limit 1)),
               max((select max(w.last_delivered_at) from webhook_endpoint w where w.tenant_id = e.tenant))
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

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(sealed: try row.timestampOrNil(0), delivered: try row.timestampOrNil(1))
    }
}

/// When a service last looked through all tenants for what has had its time.
package struct LastSweep: Statement {
    package static let sql = SQL("select max(swept_at) from service_beat")

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Timestamp? { try row.timestampOrNil(0) }
}
