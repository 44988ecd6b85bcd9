package import ChilCore
package import ChilDatabase

/// What of a tenant wants an operator's look, as counts.
package struct TenantHealth: TenantStatement {
    package struct Row: Sendable, Equatable {
        package let activeKeys: Int64
        package let oldestKeyAt: Timestamp?
        package let waitingKeys: Int64
        package let clients: Int64
        package let credentialFaults: Int64
        package let missingCredentials: Int64
        package let deafPrinters: Int64
        package let distrustedPrinters: Int64
        package let failingServices: Int64
        package let disabledWebhooks: Int64
        package let stuckPrints: Int64
        package let unsealedAudit: Int64
        package let longOverSessions: Int64
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select (select count(*) from tenant_key k where k.tenant_id = $1 and k.state = 'active'),
               (select min(k.activated_at) from tenant_key k where k.tenant_id = $1 and k.state = 'active'),
               (select count(*) from tenant_key k where k.tenant_id = $1 and k.state = 'next' and k.created_at < $3),
               (select count(*) from provider_client c where c.tenant_id = $1),
               (select count(*) from provider p where p.tenant_id = $1 and p.credential_fault is not null),
               (select count(*) from provider p where p.tenant_id = $1 and p.team_id is not null and p.sealed_key is null),
               (select count(*) from printer p
                 where p.tenant_id = $1 and p.state = 'enabled' and p.lender_tenant_id is null
                   and (p.seen_state = 'unreachable' or p.seen_at < $3)),
               (select count(*) from printer p where p.tenant_id = $1 and p.state <> 'removed' and p.tls_fault is not null),
               (select count(*) from image_endpoint e where e.tenant_id = $1 and e.state = 'enabled' and e.failures > 0),
               (select count(*) from webhook_endpoint w where w.tenant_id = $1 and w.disabled_because is not null),
               (select count(*) from print_job j
                 where j.tenant_id = $1 and j.created_at > $4 and j.updated_at < $2
                   and j.state in ('queued', 'submitting', 'sent', 'printing', 'blocked', 'canceling')),
               (select count(*) from audit a where a.tenant_id = $1 and a.sequence is null and a.recorded_at < $2),
               (select count(*) from session s where s.tenant_id = $1 and s.expires_at < $3)
        """
    )

    package let tenant: TenantID
    let now: Timestamp

    package init(of tenant: TenantID, at now: Timestamp) {
        self.tenant = tenant
        self.now = now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(now - .seconds(3_600))
        values.append(now - .seconds(86_400))
        values.append(now - .seconds(30 * 86_400))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            activeKeys: try row.int64(0),
            oldestKeyAt: try row.timestampOrNil(1),
            waitingKeys: try row.int64(2),
            clients: try row.int64(3),
            credentialFaults: try row.int64(4),
            missingCredentials: try row.int64(5),
            deafPrinters: try row.int64(6),
            distrustedPrinters: try row.int64(7),
            failingServices: try row.int64(8),
            disabledWebhooks: try row.int64(9),
            stuckPrints: try row.int64(10),
            unsealedAudit: try row.int64(11),
            longOverSessions: try row.int64(12)
        )
    }
}

/// What of the database itself does.
package struct ClusterHealth: Statement {
    package struct Row: Sendable, Equatable {
        package let serverVersion: String
        package let role: String
        package let now: Timestamp
        package let isSuperuser: Bool
        /// Of the service's role: superuser, passes by row security, owns tables.
        package let serviceFaults: Int64
        package let overdueTenants: Int64
        package let databaseBytes: Int64
        package let archiveMode: String
        package let connections: Int64
        package let connectionsMax: Int64
    }

    package static let sql = SQL(
        """
        select (select s.setting from pg_settings s where s.name = 'server_version'), current_user::text, clock_timestamp(),
               (select r.rolsuper from pg_roles r where r.rolname = current_user),
               (select count(*) from pg_roles r where r.rolname = 'chil_service' and (r.rolsuper or r.rolbypassrls))
                 + (select count(*) from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname = 'chil_service'),
               (select count(*) from tenant t where t.purge_at < clock_timestamp() - interval '2 hours'),
               pg_database_size(current_database()), (select s.setting from pg_settings s where s.name = 'archive_mode'),
               (select count(*) from pg_stat_activity),
               (select s.setting::bigint from pg_settings s where s.name = 'max_connections')
        """
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            serverVersion: row.text(0),
            role: row.text(1),
            now: try row.timestamp(2),
            isSuperuser: try row.bool(3),
            serviceFaults: try row.int64(4),
            overdueTenants: try row.int64(5),
            databaseBytes: try row.int64(6),
            archiveMode: row.text(7),
            connections: try row.int64(8),
            connectionsMax: try row.int64(9)
        )
    }
}

/// How many event loops of services there are now.
package struct LivingLoops: Statement {
    package static let sql = SQL("select count(*) from loop_slot where expires_at > clock_timestamp()")

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}

/// How much work is due for ten minutes; more than ten thousand are so many.
package struct OverdueWorkCount: Statement {
    package static let sql = SQL(
        """
        select count(*) from (
            select from work where run_at < clock_timestamp() - interval '10 minutes' order by run_at limit 10000
        ) as late
        """
    )

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int64 { try row.int64(0) }
}
