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
        guard let found else { throw await noSuchTenant(slug) }
        return found
    }

    func fresh<Kind>() throws(AdminFault) -> Identifier<Kind> {
        try numbers.next(at: now())
    }

    /// Writes down an act that changes nothing else.
    func audit(_ action: String, on target: String?, in tenant: TenantID, _ detail: String? = nil)
        async throws(AdminFault)
    {
        let add = AuditAdd(
            action,
            on: target,
            in: tenant,
            by: .operator(settings.operatorName),
            detail: detail,
            audit: try fresh(),
            at: now()
        )
        _ = try await ask { database throws(DatabaseError) in try await add.touched(on: database) }
    }

    /// Signs a change for the audit.
    func note() throws(AdminFault) -> OperatorNote {
        OperatorNote(by: settings.operatorName, audit: try fresh(), at: now())
    }
}
