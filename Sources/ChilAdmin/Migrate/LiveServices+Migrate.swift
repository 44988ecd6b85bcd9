import ChilDatabase
import ChilStore

extension LiveServices: SchemaServices {
    func migrate() async throws(AdminFault) -> [MigrationStep] {
        let migrator = SchemaMigrator(scripts: DatabaseScript(url: try settings.requireDatabaseURL()))
        do {
            let steps = try await migrator.migrate()
            return [MigrationStep(name: "roles", outcome: .ensured)]
                + steps.map { MigrationStep(name: $0.name, outcome: $0.isNew ? .applied : .present) }
        } catch {
            throw fault(error)
        }
    }
}
