import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: SessionServices {
    func sessions(of slug: Slug, _ query: SessionQuery) async throws(AdminFault) -> [SessionRow] {
        let tenant = try await record(of: slug)
        let question = SessionsNewest(
            of: query.user?.id,
            in: tenant.id,
            includingEnded: query.includesEnded,
            at: now(),
            countMax: query.countMax
        )
        return try await ask { database throws(DatabaseError) in try await question.rows(from: database) }
            .map(SessionRow.init)
    }

    func endSessions(_ choice: SessionChoice, of slug: Slug) async throws(AdminFault) -> Int {
        let tenant = try await record(of: slug)
        let end =
            switch choice {
            case .one(let session):
                SessionsEnd(session.id, of: tenant.id, note: try note())
            case .allOf(let user):
                SessionsEnd(allOf: user.id, of: tenant.id, note: try note())
            }
        return try await ask { database throws(DatabaseError) in try await end.answer(from: database) }
    }
}
