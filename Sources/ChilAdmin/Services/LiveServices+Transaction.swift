import ChilDatabase

extension LiveServices: TransactionServices {
    func hold(isDryRun: Bool) async throws(AdminFault) {
        held = HeldTransaction(url: try settings.requireDatabaseURL())
        self.isDryRun = isDryRun
        // The next one to be asked for is on the transaction's connection.
        await openDatabase?.close()
        openDatabase = nil
    }

    func keep() async throws(AdminFault) {
        guard let held else { return }
        do throws(DatabaseError) {
            try await held.commit()
        } catch {
            throw fault(error)
        }
    }
}
