import ChilDatabase
import ChilStore

extension LiveServices: DistributionServices {
    func distribution(shards: ShardCount) async throws(AdminFault) -> [DistributionRow] {
        DistributionRow.statements(of: try await plan(shards).plan)
    }

    func distribute(shards: ShardCount) async throws(AdminFault) -> [DistributionRow] {
        let (plan, canDistribute) = try await plan(shards)
        guard canDistribute else { throw Self.withoutCitus }
        let scripts = DatabaseScript(url: try settings.requireDatabaseURL())
        var rows: [DistributionRow] = []
        do {
            try await plan.run(on: scripts) { step in
                let row = DistributionRow(done: step)
                talk("\(row.subject): \(row.what)")
                rows.append(row)
            }
        } catch {
            let fault = fault(error)
            throw AdminFault(
                fault.status,
                fault.message,
                remedy: "\(rows.count) of \(plan.steps.count) steps are done and stay: mend it and run the same again. "
                    + "Start no chilapi before."
            )
        }
        return rows
    }

    func checkDistribution() async throws(AdminFault) -> [DistributionRow] {
        let catalogue = try await ask { database throws(DatabaseError) in
            try await DistributionCatalogue.read(from: database)
        }
        guard catalogue.canDistribute else { throw Self.withoutCitus }
        let findings = try await ask { database throws(DatabaseError) in
            try await DistributionCheck.run(on: database).findings
        }
        let wrong = findings.filter { $0.remedy != nil }
        guard wrong.isEmpty else {
            throw AdminFault(
                .failed,
                "\(wrong.count) of \(findings.count) are not as they should be: "
                    + wrong.map { "\($0.subject): \($0.found)" }.joined(separator: "; "),
                remedy: wrong.map { "\($0.subject): \($0.remedy ?? "")" }.joined(separator: ". ") + "."
            )
        }
        return findings.map { DistributionRow(what: $0.found, subject: $0.subject) }
    }

    private func plan(_ shards: ShardCount) async throws(AdminFault) -> (plan: DistributionPlan, canDistribute: Bool) {
        let catalogue = try await ask { database throws(DatabaseError) in
            try await DistributionCatalogue.read(from: database)
        }
        do {
            return (try DistributionPlan(catalogue, shards: shards.count), catalogue.canDistribute)
        } catch {
            switch error {
            case .obstacles(let obstacles):
                throw AdminFault(
                    .dataRefused,
                    "in the way: \(obstacles.joined(separator: "; "))",
                    remedy:
                        "Remove that first: Citus refuses it. A database that only `chiladmin migrate` has changed has none of it."
                )
            case .unknownTables(let tables):
                throw AdminFault(
                    .dataRefused,
                    "nobody has said where these tables go: \(tables.joined(separator: ", "))",
                    remedy: "Move tables that are not chilapi's to another schema."
                )
            }
        }
    }

    private static var withoutCitus: AdminFault {
        AdminFault(
            .failed,
            "this database has no Citus",
            remedy:
                "Install Citus 12 or later on every machine, set shared_preload_libraries = 'citus', `create extension citus`, add the "
                + "machines by citus_add_node, then run this again."
        )
    }
}
