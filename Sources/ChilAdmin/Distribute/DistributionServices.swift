/// What `distribute` needs. All of it wants an administrator of the database.
protocol DistributionServices {
    /// The statements that are left to run.
    func distribution(shards: ShardCount) async throws(AdminFault) -> [DistributionRow]
    /// Runs them: what was done.
    func distribute(shards: ShardCount) async throws(AdminFault) -> [DistributionRow]
    /// What is where; a fault that names all that is not as it should be.
    func checkDistribution() async throws(AdminFault) -> [DistributionRow]
}
