/// What `migrate` needs.
protocol SchemaServices {
    /// Makes the roles and runs the migrations that are missing. Run again, it changes nothing.
    func migrate() async throws(AdminFault) -> [MigrationStep]
}
