import ChilAuth
import ChilCore
import ChilStore

/// What was looked at, and what it says. Pure: the same evidence, the same lines.
struct Findings {
    /// `nil`: the database was not reached, and why.
    var cluster: ClusterHealth.Row?
    var databaseFault: AdminFault?
    var schemaVersion: Int?
    var loops: Int64 = 0
    var overdueWork: Int64 = 0
    var now: Timestamp
    var tenants: [(slug: String, health: TenantHealth.Row)] = []
    /// Of so many; fewer were looked at where the time was over.
    var tenantCount = 0
    var tenantFault: AdminFault?
    var keyFileFault: AdminFault?
    var keyVersion: UInt8?
    var quotaDifferences: Result<Int, AdminFault>?
    var publicAddress: PublicAddressEvidence?
    var providerRecords: [ProviderEvidence] = []
    var storage: StorageEvidence?
    var storageFault: AdminFault?
    /// Where images lie that are not in the database.
    var objectBucket: String?

    func row(_ check: DoctorCheck) -> DoctorRow {
        switch check {
        case .keyfile: return keyFile
        case .tls: return tls
        case .database:
            guard let cluster else { return away(check) }
            return DoctorRow(
                check: check,
                state: .ok,
                finding:
                    "PostgreSQL \(cluster.serverVersion), \(cluster.connections) of \(cluster.connectionsMax) connections"
            )
        default:
            guard let cluster else {
                return DoctorRow(
                    check: check,
                    state: .fail,
                    finding: "not looked at: no database",
                    remedy: "See 'database'."
                )
            }
            return row(check, cluster)
        }
    }

    private func row(_ check: DoctorCheck, _ cluster: ClusterHealth.Row) -> DoctorRow {
        switch check {
        case .role: return role(cluster)
        case .migrations: return migrations
        case .clock: return clock(cluster)
        case .services:
            return loops > 0
                ? DoctorRow(check: check, state: .ok, finding: "\(loops) event loops of chilapi")
                : DoctorRow(
                    check: check,
                    state: .warn,
                    finding: "no chilapi is running on this database",
                    remedy: "Start chilapi; its log says why it does not."
                )
        case .keys: return keys
        case .clients: return clients
        case .printers:
            return counted(
                check,
                \.deafPrinters,
                "printers that no worker reaches",
                "`chiladmin printer list TENANT`, `chiladmin printer test TENANT PRINTER`."
            )
        case .certificates:
            return counted(
                check,
                \.distrustedPrinters,
                "printers whose certificate has changed or is over",
                "`chiladmin printer trust TENANT PRINTER` once it is known to be right."
            )
        case .generators:
            return counted(
                check,
                \.failingServices,
                "services for pictures that failed last",
                "`chiladmin generator list TENANT`, `chiladmin motion list TENANT` show why."
            )
        case .webhooks:
            return counted(
                check,
                \.disabledWebhooks,
                "webhook endpoints that were given up",
                "`chiladmin webhook enable TENANT NUMBER` once the tenant's server works."
            )
        case .jobs: return jobs
        case .quotas: return quotas
        case .audit:
            return counted(
                check,
                \.unsealedAudit,
                "rows of the audit unsealed for an hour",
                "A running chilapi seals them: look into its log."
            )
        case .sweeps: return sweeps(cluster)
        case .disk: return disk(cluster)
        case .wal: return wal
        case .providers: return providers
        case .backups:
            return cluster.archiveMode == "off"
                ? DoctorRow(
                    check: check,
                    state: .warn,
                    finding: "archive_mode is off",
                    remedy: "Have WAL archived or a dump made daily; after a restore: `chiladmin ledger apply`."
                )
                : DoctorRow(check: check, state: .ok, finding: "archive_mode is \(cluster.archiveMode)")
        case .database, .keyfile, .tls: return away(check)
        }
    }

    private func away(_ check: DoctorCheck) -> DoctorRow {
        DoctorRow(
            check: check,
            state: .fail,
            finding: databaseFault?.message ?? "no answer",
            remedy: databaseFault?.remedy ?? "Check CHIL_DATABASE_URL and PostgreSQL."
        )
    }

    private var keyFile: DoctorRow {
        if let keyFileFault {
            return DoctorRow(
                check: .keyfile,
                state: keyFileFault.status == .configuration ? .fail : .warn,
                finding: keyFileFault.message,
                remedy: keyFileFault.remedy
            )
        }
        return DoctorRow(check: .keyfile, state: .ok, finding: "version \(keyVersion ?? 0) seals")
    }

    private func role(_ cluster: ClusterHealth.Row) -> DoctorRow {
        if cluster.serviceFaults > 0 {
            return DoctorRow(
                check: .role,
                state: .fail,
                finding: "chil_service owns tables, or no policy binds it",
                remedy: "`chiladmin migrate` as an administrator; take superuser and bypassrls from chil_service."
            )
        }
        if cluster.isSuperuser {
            return DoctorRow(
                check: .role,
                state: .warn,
                finding: "'\(cluster.role)' is a superuser",
                remedy: "Connect as chil_operator: it may do what an operator does, and no more."
            )
        }
        return DoctorRow(check: .role, state: .ok, finding: "'\(cluster.role)'")
    }

    private var migrations: DoctorRow {
        let needed = SchemaVersion.needed, found = schemaVersion ?? 0
        if found < needed {
            return DoctorRow(
                check: .migrations,
                state: .fail,
                finding: "the schema has version \(found), this release wants \(needed)",
                remedy: "`chiladmin migrate` as an administrator."
            )
        }
        return found == needed
            ? DoctorRow(check: .migrations, state: .ok, finding: "version \(found)")
            : DoctorRow(
                check: .migrations,
                state: .warn,
                finding: "the schema has version \(found), newer than this release's \(needed)",
                remedy: "Use the chiladmin of the release that serves."
            )
    }

    private func clock(_ cluster: ClusterHealth.Row) -> DoctorRow {
        let skew = (cluster.now - now).wholeMicroseconds / 1_000, size = abs(skew)
        let finding = "this machine is \(size) ms \(skew > 0 ? "behind" : "before") PostgreSQL's"
        guard size > 2_000 else { return DoctorRow(check: .clock, state: .ok, finding: finding) }
        return DoctorRow(
            check: .clock,
            state: size > 30_000 ? .fail : .warn,
            finding: finding,
            remedy: "Set both by NTP: tokens and leases go by the clock."
        )
    }

    private var keys: DoctorRow {
        let without = tenants.filter { $0.health.activeKeys == 0 }
        if !without.isEmpty {
            return seen(
                .keys,
                .fail,
                "no active key: \(Self.names(without.map(\.slug)))",
                "`chiladmin key rotate TENANT --now`."
            )
        }
        let waiting = tenants.filter { $0.health.waitingKeys > 0 }
        if !waiting.isEmpty {
            return seen(
                .keys,
                .warn,
                "a key waits for its turn since yesterday: \(Self.names(waiting.map(\.slug)))",
                "`chiladmin key rotate TENANT` once more activates it."
            )
        }
        let old = tenants.filter { ($0.health.oldestKeyAt ?? now) < now - .seconds(365 * 86_400) }
        if !old.isEmpty {
            return seen(
                .keys,
                .warn,
                "a key signs for more than a year: \(Self.names(old.map(\.slug)))",
                "`chiladmin key rotate TENANT`, and again after five minutes."
            )
        }
        return seen(.keys, .ok, "each tenant has one that signs", nil)
    }

    private var clients: DoctorRow {
        let refused = tenants.filter { $0.health.credentialFaults + $0.health.missingCredentials > 0 }
        if !refused.isEmpty {
            return seen(
                .clients,
                .fail,
                "the provider refuses the credentials, or the key is missing: \(Self.names(refused.map(\.slug)))",
                "`chiladmin client check TENANT` says why, `client set --p8-file` gives others."
            )
        }
        let none = tenants.filter { $0.health.clients == 0 }
        if !none.isEmpty {
            return seen(
                .clients,
                .warn,
                "nobody can sign in: \(Self.names(none.map(\.slug)))",
                "`chiladmin client add TENANT --client-id ID`."
            )
        }
        return seen(.clients, .ok, "each tenant has one; `client check` asks the provider", nil)
    }

    private var jobs: DoctorRow {
        let stuck = tenants.filter { $0.health.stuckPrints > 0 }
        if overdueWork > 0 {
            return seen(
                .jobs,
                loops > 0 ? .fail : .warn,
                "\(overdueWork) pieces of work are due for ten minutes",
                "A running chilapi does them: start one, or look into its log."
            )
        }
        if !stuck.isEmpty {
            return seen(
                .jobs,
                .warn,
                "prints stand still for an hour: \(Self.names(stuck.map(\.slug)))",
                "`chiladmin job list TENANT --state blocked`, `chiladmin printer test TENANT PRINTER`."
            )
        }
        return seen(.jobs, .ok, "nothing stands still", nil)
    }

    private var quotas: DoctorRow {
        switch quotaDifferences {
        case .success(0): return seen(.quotas, .ok, "counts are what is there", nil)
        case .success(let count):
            return seen(
                .quotas,
                .warn,
                "\(count) counts differ from what is there",
                "`chiladmin quota recount --check` shows them, `chiladmin quota recount` sets them right."
            )
        case .failure(let fault):
            return DoctorRow(check: .quotas, state: .fail, finding: fault.message, remedy: fault.remedy)
        case nil:
            return seen(
                .quotas,
                .warn,
                "not counted in the time that there is",
                "`chiladmin quota recount --check` takes its own."
            )
        }
    }

    private func sweeps(_ cluster: ClusterHealth.Row) -> DoctorRow {
        let late = tenants.filter { $0.health.longOverSessions > 0 }
        if cluster.overdueTenants > 0 {
            return seen(
                .sweeps,
                .fail,
                "\(cluster.overdueTenants) deleted tenants should be gone",
                "A running chilapi removes them within the hour: look into its log."
            )
        }
        if !late.isEmpty {
            return seen(
                .sweeps,
                .warn,
                "sessions are over for a day and there still: \(Self.names(late.map(\.slug)))",
                "A running chilapi sweeps each minute (held users' stay): look into its log."
            )
        }
        return seen(.sweeps, .ok, "nothing is there past its time", nil)
    }

    private func counted(
        _ check: DoctorCheck,
        _ count: KeyPath<TenantHealth.Row, Int64>,
        _ what: String,
        _ remedy: String
    ) -> DoctorRow {
        let concerned = tenants.filter { $0.health[keyPath: count] > 0 }
        guard !concerned.isEmpty else { return seen(check, .ok, "no \(what)", nil) }
        let sum = concerned.reduce(0) { $0 + $1.health[keyPath: count] }
        return seen(check, .warn, "\(sum) \(what): \(Self.names(concerned.map(\.slug)))", remedy)
    }

    /// What was to be asked, and gave no answer.
    func unseen(_ check: DoctorCheck) -> DoctorRow {
        DoctorRow(
            check: check,
            state: .fail,
            finding: storageFault?.message ?? "no answer",
            remedy: storageFault?.remedy ?? "Run it again."
        )
    }

    /// With how much was not looked at.
    func seen(_ check: DoctorCheck, _ state: DoctorRow.State, _ finding: String, _ remedy: String?) -> DoctorRow {
        if let tenantFault {
            return DoctorRow(check: check, state: .fail, finding: tenantFault.message, remedy: tenantFault.remedy)
        }
        let left = tenantCount - tenants.count
        guard left > 0 else { return DoctorRow(check: check, state: state, finding: finding, remedy: remedy) }
        return DoctorRow(
            check: check,
            state: state == .ok ? .warn : state,
            finding: "\(finding) (\(left) of \(tenantCount) tenants were left)",
            remedy: remedy ?? "Run it again while less is going on."
        )
    }

    static func names(_ slugs: [String]) -> String {
        slugs.count <= 3
            ? slugs.joined(separator: ", ") : slugs.prefix(3).joined(separator: ", ") + " and \(slugs.count - 3) more"
    }
}
