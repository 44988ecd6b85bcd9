package import ChilDatabase
import ChilSchema

/// Brings a database to this build's schema. Run again, it changes nothing; two at once wait for each other.
package struct SchemaMigrator<Runner: ScriptRunner> {
    /// A migration and whether it ran now.
    package struct Step: Sendable, Equatable {
        package let version: Int
        package let name: String
        package let isNew: Bool
    }

    private let scripts: Runner

    /// - Parameter scripts: an administrator of the database: superuser, or a member of `chil_owner` that may create roles.
    package init(scripts: Runner) {
        self.scripts = scripts
    }

    /// Roles and grants, then every migration in a transaction of its own together with its row in `schema_migration`.
    ///
    /// A script has no answers, so whether a migration ran before is decided inside it: it then fails with `alreadyApplied`,
    /// which is no error here.
    package func migrate() async throws(DatabaseError) -> [Step] {
        try await scripts.runScript(Schema.roles)
        try await scripts.runScript(Self.owned(Self.table))
        var steps: [Step] = []
        for migration in Schema.migrations {
            let isNew = try await apply(migration)
            steps.append(Step(version: migration.version, name: migration.name, isNew: isNew))
        }
        return steps
    }

    private func apply(_ migration: Schema.Migration) async throws(DatabaseError) -> Bool {
        do {
            try await scripts.runScript(
                Self.owned(
                    """
                    do $check$ begin
                        if exists (select from schema_migration where version = \(migration.version)) then
                            raise exception 'already applied' using errcode = '\(SchemaVersion.alreadyApplied)';
                        end if;
                    end $check$;
                    \(migration.sql)
                    insert into schema_migration (version, name) values (\(migration.version), '\(migration.name)');
                    """
                )
            )
            return true
        } catch {
            guard error.sqlState == SchemaVersion.alreadyApplied else { throw error }
            return false
        }
    }

    /// As the owner of every object, and alone: the lock ends with the transaction. The number is "chil" in ASCII.
    private static func owned(_ sql: String) -> String {
        """
        begin;
        set local role chil_owner;
        select pg_advisory_xact_lock(1667787116);
        \(sql)
        commit;
        """
    }

    private static var table: String {
        """
        create table if not exists schema_migration (
            version    integer     not null,
            name       text        not null,
            applied_at timestamptz not null default now(),
            constraint schema_migration_pkey primary key (version)
        );
        """
    }
}

/// The newest migration that a database has. `SchemaVersion.needed` is what this build wants at least.
package struct SchemaVersion: Statement {
    static let alreadyApplied = "CHM01"

    package static var needed: Int { Schema.version }
    package static let sql = SQL("select coalesce(max(version), 0) from schema_migration")

    package init() {}

    package func bind(_ values: inout BoundValues) {}

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Int { Int(try row.int32(0)) }
}
