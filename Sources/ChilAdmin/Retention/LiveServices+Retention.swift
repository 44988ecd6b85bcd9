import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: RetentionServices {
    func retention(of slug: Slug) async throws(AdminFault) -> [RetentionRow] {
        let list = ChilStore.RetentionList(of: try await record(of: slug).id)
        return try await ask { database throws(DatabaseError) in try await list.rows(from: database) }
            .map(RetentionRow.init)
    }

    func setRetention(_ kind: RetentionClass, to limit: RetentionLimit?, of slug: Slug) async throws(AdminFault)
        -> [RetentionRow]
    {
        let tenant = try await record(of: slug)
        let note = try note()
        _ = try await ask { database throws(DatabaseError) in
            if let limit {
                try await RetentionSet(kind, to: limit.days, of: tenant.id, note: note).run(on: database)
            } else {
                try await RetentionUnset(kind, of: tenant.id, note: note).run(on: database)
            }
        }
        return try await retention(of: slug)
    }

    func hold(_ user: UserNumber, of slug: Slug, because reason: Remark?) async throws(AdminFault) -> UserDetailRow {
        let tenant = try await record(of: slug)
        let note = try note()
        _ = try await ask { database throws(DatabaseError) in
            if let reason {
                try await ChilStore.UserHold(user.id, of: tenant.id, because: reason.text, note: note).run(on: database)
            } else {
                try await ChilStore.UserRelease(user.id, of: tenant.id, note: note).run(on: database)
            }
        }
        return try await self.user(user, of: slug)
    }
}
