import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: LimitServices {
    func setLimits(_ choice: LimitChoice, to rule: RateRule, of slug: Slug) async throws(AdminFault) -> [LimitRow] {
        try await change(.set(choice.places.map { RateLimitRecord($0.scope, $0.kind, rule) }), of: slug)
    }

    func unsetLimits(_ choice: LimitChoice, of slug: Slug) async throws(AdminFault) -> [LimitRow] {
        try await change(.unset(choice.places), of: slug)
    }

    func limits(of slug: Slug) async throws(AdminFault) -> [LimitRow] {
        let tenant = try await record(of: slug)
        return LimitRow.all(
            try await ask { database throws(DatabaseError) in
                try await RateLimitList(of: tenant.id).rows(from: database)
            }
        )
    }

    private func change(_ change: RateLimitSet.Change, of slug: Slug) async throws(AdminFault) -> [LimitRow] {
        let tenant = try await record(of: slug)
        let change = RateLimitSet(change, of: tenant.id, note: try note())
        return LimitRow.all(
            try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        )
    }
}
