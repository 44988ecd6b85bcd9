/// How what a command writes is kept together.
protocol TransactionServices {
    /// From here on all goes into one transaction.
    ///
    /// - Parameter isDryRun: nothing outside the database is touched either.
    func hold(isDryRun: Bool) async throws(AdminFault)

    /// Keeps it. Without this, nothing of it has happened.
    func keep() async throws(AdminFault)
}
