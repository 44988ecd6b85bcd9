import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: ConsentServices {
    func consents(of user: UserNumber, in slug: Slug) async throws(AdminFault) -> [ConsentRow] {
        let tenant = try await record(of: slug)
        _ = try await self.user(user, of: slug)
        let list = ChilStore.ConsentList(of: user.id, in: tenant.id)
        return try await ask { database throws(DatabaseError) in try await list.rows(from: database) }
            .map(ConsentRow.init)
    }

    func say(_ draft: ConsentDraft, of user: UserNumber, in slug: Slug) async throws(AdminFault) -> Bool {
        let tenant = try await record(of: slug)
        let say = ConsentSay(
            ConsentSay.Saying(
                draft.scopes.scopes,
                isGiven: draft.isGiven,
                guardian: draft.guardian?.text,
                method: draft.method,
                notice: draft.notice?.number
            ),
            of: user.id,
            in: tenant.id,
            as: try fresh(),
            by: .operator(name: settings.operatorName),
            audit: try fresh(),
            at: now()
        )
        switch try await ask({ database throws(DatabaseError) in try await say.answer(from: database) }) {
        case .recorded: return true
        case .unchanged: return false
        case .missing: throw .noSuchUser(user, tenant: slug.text)
        case .noSuchNotice:
            throw AdminFault(
                .dataRefused,
                "the tenant's notice has version \(tenant.consentPolicy.notice): there is no later one yet",
                remedy: "`chiladmin tenant consent \(slug.text) --notice VERSION` brings a new one into force."
            )
        }
    }

    func setConsent(_ draft: ConsentPolicyDraft, of slug: Slug) async throws(AdminFault) -> TenantRow {
        let tenant = try await record(of: slug)
        if let notice = draft.notice, notice.number < tenant.consentPolicy.notice {
            throw AdminFault(
                .dataRefused,
                "the notice in force has version \(tenant.consentPolicy.notice)",
                remedy: "Give that or a higher one: under a lower one, consent that has ended would hold again."
            )
        }
        let change = TenantSetConsent(
            scopes: draft.required?.scopes,
            notice: draft.notice?.number,
            of: tenant.id,
            note: try note()
        )
        _ = try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        return try await self.tenant(slug)
    }
}
