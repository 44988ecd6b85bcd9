import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices {
    /// Asks the store; what fails is told in the operator's words.
    func ask<Answer: Sendable>(
        _ question: (SharedDatabase) async throws(DatabaseError) -> Answer
    ) async throws(AdminFault) -> Answer {
        let database = try database()
        do {
            return try await question(database)
        } catch {
            throw fault(error)
        }
    }

    /// The tenant's row, or the fault that there is none.
    func record(of slug: Slug) async throws(AdminFault) -> TenantRecord {
        let found = try await ask { database throws(DatabaseError) in
            try await database.run(TenantBySlug(slug: slug.text), .read, of: nil).first
        }
        guard let found else { throw .noSuchTenant(slug.text) }
        return found
    }

    func fresh<Kind>() throws(AdminFault) -> Identifier<Kind> {
        try numbers.next(at: now())
    }

    /// Signs a change for the audit.
    func note() throws(AdminFault) -> OperatorNote {
        OperatorNote(by: settings.operatorName, audit: try fresh(), at: now())
    }
}
