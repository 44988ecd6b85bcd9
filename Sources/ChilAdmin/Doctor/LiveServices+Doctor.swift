import ChilAuth
import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: DoctorServices {
    func examine(_ checks: [DoctorCheck]) async -> [DoctorRow] {
        var findings = Findings(now: now())
        findings.objectBucket = objectBucket
        let end = findings.now + .seconds(DoctorCheck.secondsMax)
        do throws(AdminFault) {
            findings.keyVersion = try keyRing().currentVersion
        } catch {
            findings.keyFileFault = error
        }
        do throws(AdminFault) {
            // Before the answer: a slow one is not a wrong clock.
            findings.cluster = try await ask { database throws(DatabaseError) in
                try await database.run(ClusterHealth(), .read, of: nil).first
            }
            findings.now = now()
            findings.schemaVersion = try await ask { database throws(DatabaseError) in
                try await database.run(SchemaVersion(), .read, of: nil).first
            }
            findings.loops = try await ask { database throws(DatabaseError) in
                try await database.run(LivingLoops(), .read, of: nil).first ?? 0
            }
            findings.overdueWork = try await ask { database throws(DatabaseError) in
                try await database.run(OverdueWorkCount(), .read, of: nil).first ?? 0
            }
        } catch {
            findings.databaseFault = error
        }
        if checks.contains(.tls) { findings.publicAddress = await publicAddress() }
        if findings.cluster != nil {
            await lookAtStorage(&findings)
            await look(at: checks, &findings, until: end)
        }
        return checks.map(findings.row)
    }

    private func lookAtStorage(_ findings: inout Findings) async {
        do throws(AdminFault) {
            findings.storage = try await storage()
        } catch {
            findings.storageFault = error
        }
    }

    private func look(at checks: [DoctorCheck], _ findings: inout Findings, until end: Timestamp) async {
        do throws(AdminFault) {
            let tenants = try await ask { database throws(DatabaseError) in
                try await database.run(ChilStore.TenantList(), .read, of: nil)
            }
            findings.tenantCount = tenants.count
            var records: [(tenant: TenantRecord, record: ChilStore.ProviderRecord)] = []
            for tenant in tenants where now() < end {
                let question = TenantHealth(of: tenant.id, at: findings.now)
                let health = try await ask { database throws(DatabaseError) in
                    try await question.answer(from: database)
                }
                findings.tenants.append((tenant.slug, health))
                guard checks.contains(.providers) else { continue }
                for record in try await providers(of: tenant) { records.append((tenant, record)) }
            }
            findings.providerRecords = try await evidence(of: records, until: end)
            guard checks.contains(.quotas) else { return }
            var differences = 0
            for tenant in tenants {
                guard now() < end else { return }
                differences += try await ask { database throws(DatabaseError) in
                    try await QuotaCheck(of: tenant.id).rows(from: database)
                }.count
            }
            findings.quotaDifferences = .success(differences)
        } catch {
            if findings.tenants.count < findings.tenantCount || findings.tenantCount == 0 {
                findings.tenantFault = error
            }
            findings.quotaDifferences = .failure(error)
        }
    }
}
