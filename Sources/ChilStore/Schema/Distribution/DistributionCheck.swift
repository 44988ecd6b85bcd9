package import ChilDatabase

/// Whether a database is distributed as `DistributionPlan` does it.
package struct DistributionCheck: Sendable {
    package struct Finding: Sendable, Equatable {
        /// A table, a foreign key, a role, or what else is looked at.
        package let subject: String
        package let found: String
        /// `nil`: it is as it should be.
        package let remedy: String?
    }

    package let findings: [Finding]

    package static func run(on database: some Database) async throws(DatabaseError) -> DistributionCheck {
        let catalogue = try await DistributionCatalogue.read(from: database)
        var findings = tables(catalogue)
        findings += catalogue.foreignKeys.map { key in
            Finding(
                subject: key.name,
                found: key.isDropped ? "dropped" : "there",
                remedy: key.isDropped ? "chiladmin distribute --run adds it again" : nil
            )
        }
        findings.append(
            Finding(
                subject: "chil_enter",
                found: catalogue.isEnteredByStatement ? "set local" : "set_config",
                remedy: catalogue.isEnteredByStatement
                    ? nil : "chiladmin distribute --run puts the one for Citus in its place"
            )
        )
        findings += catalogue.obstacles.map { Finding(subject: "obstacle", found: $0, remedy: "remove it") }
        if catalogue.canDistribute {
            for (role, isSetting) in catalogue.setsAcross.sorted(by: { $0.key < $1.key }) {
                findings.append(
                    Finding(
                        subject: role,
                        found: isSetting ? "set commands go along" : "set commands stay here",
                        remedy: isSetting ? nil : "chiladmin distribute --run sets citus.propagate_set_commands"
                    )
                )
            }
            for worker in try await database.run(WorkerLook(), .read, of: nil) {
                findings.append(
                    Finding(
                        subject: worker.name,
                        found: worker.answer,
                        remedy: worker.answer == "2 roles"
                            ? nil : "make chil_service and chil_operator on that machine (sql/roles.sql)"
                    )
                )
            }
        }
        return DistributionCheck(findings: findings)
    }

    private static func tables(_ catalogue: DistributionCatalogue) -> [Finding] {
        let together = catalogue.tables.first { $0.place == .tenant }?.colocation
        return catalogue.tables.map { table in
            let wanted = TablePlace(of: table.name, isWalled: table.isWalled)
            let found = table.place ?? .local
            var remedy: String?
            if wanted == nil {
                remedy = "name it in TablePlace: this build does not know where it goes"
            } else if wanted != found {
                remedy = "it belongs to \(wanted?.rawValue ?? ""): chiladmin distribute --run"
            } else if found == .tenant, table.colocation != together {
                remedy = "it does not lie beside the others: undistribute_table, then chiladmin distribute --run"
            }
            return Finding(subject: table.name, found: found.rawValue, remedy: remedy)
        }
    }
}

/// Each other machine, and how many of the two roles it has. Policies that name a role which is not there let nobody see a row.
private struct WorkerLook: Statement {
    static let sql = SQL(
        """
        select nodename || ':' || nodeport, case when success then result || ' roles' else 'no answer' end
          from run_command_on_workers($$ select count(*) from pg_roles where rolname in ('chil_service', 'chil_operator') $$)
         order by 1
        """
    )
    func bind(_ values: inout BoundValues) {}
    static func row(_ row: ResultRow) throws(DatabaseError) -> (name: String, answer: String) {
        (row.text(0), row.text(1))
    }
}
