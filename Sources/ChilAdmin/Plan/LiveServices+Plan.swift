import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: PlanServices {
    func createPlan(_ name: PlanName) async throws(AdminFault) -> PlanRow {
        let create = ChilStore.PlanCreate(name.text, at: now())
        _ = try await ask { database throws(DatabaseError) in try await database.run(create, .write, of: nil) }
        return try await plan(name)
    }

    func plans() async throws(AdminFault) -> [PlanRow] {
        try await ask { database throws(DatabaseError) in
            try await database.run(ChilStore.PlanList(), .read, of: nil)
        }.map(PlanRow.init)
    }

    func limits(of name: PlanName) async throws(AdminFault) -> [PlanQuotaRow] {
        _ = try await plan(name)
        return try await ask { database throws(DatabaseError) in
            try await database.run(PlanQuotaList(of: name.text), .read, of: nil)
        }.map(PlanQuotaRow.init)
    }

    func setLimit(_ draft: QuotaDraft, of name: PlanName) async throws(AdminFault) -> PlanChangeAnswer {
        _ = try await plan(name)
        let set = PlanQuotaSet(draft.key, to: draft.terms, of: name.text)
        _ = try await ask { database throws(DatabaseError) in try await database.run(set, .write, of: nil) }
        return try await applied(name)
    }

    func unsetLimit(_ key: QuotaKey, of name: PlanName) async throws(AdminFault) -> PlanChangeAnswer {
        _ = try await plan(name)
        let unset = PlanQuotaUnset(key, of: name.text)
        let gone = try await ask { database throws(DatabaseError) in try await database.run(unset, .write, of: nil) }
        // Applied in any case: whoever was interrupted runs it again.
        let answer = try await applied(name)
        guard !gone.isEmpty || answer.tenantsChanged > 0 else {
            throw AdminFault(
                .notFound,
                "plan '\(name.text)' has no limit \(key)",
                remedy: "`chiladmin plan show \(name.text)` shows its limits, with scope and window."
            )
        }
        return answer
    }

    func assignPlan(_ choice: PlanChoice, to slug: Slug) async throws(AdminFault) -> [QuotaRow] {
        let tenant = try await record(of: slug)
        let stored: PlanApply.Choice
        switch choice {
        case .none: stored = .none
        case .plan(let name):
            _ = try await plan(name)
            stored = .named(name.text)
        }
        let apply = PlanApply(stored, to: tenant.id, note: try note())
        _ = try await ask { database throws(DatabaseError) in try await apply.run(on: database) }
        return try await quotas(of: slug)
    }

    func removePlan(_ name: PlanName) async throws(AdminFault) {
        let held = try await plan(name)
        guard held.tenants == 0 else {
            throw AdminFault(
                .dataRefused,
                "\(held.tenants) tenants have plan '\(name.text)'",
                remedy: "Give them another first: `chiladmin plan assign TENANT PLAN|none`."
            )
        }
        let remove = ChilStore.PlanRemove(name.text)
        _ = try await ask { database throws(DatabaseError) in try await remove.run(on: database) }
    }

    private func plan(_ name: PlanName) async throws(AdminFault) -> PlanRow {
        let found = try await ask { database throws(DatabaseError) in
            try await database.run(ChilStore.PlanList(named: name.text), .read, of: nil).first
        }
        guard let found else {
            throw AdminFault(.notFound, "no plan '\(name.text)'", remedy: "`chiladmin plan list` shows the plans.")
        }
        return PlanRow(found)
    }

    /// Tenant by tenant, so that none waits for all. What is interrupted is made whole by the next change of the plan.
    private func applied(_ name: PlanName) async throws(AdminFault) -> PlanChangeAnswer {
        let tenants = try await ask { database throws(DatabaseError) in
            try await database.run(PlanTenants(of: name.text), .read, of: nil)
        }
        var changed = 0
        for tenant in tenants {
            let apply = PlanApply(.unchanged, to: tenant, note: try note())
            let limits = try await ask { database throws(DatabaseError) in try await apply.run(on: database) }
            changed += limits > 0 ? 1 : 0
        }
        return PlanChangeAnswer(limits: try await limits(of: name), tenantsChanged: changed)
    }
}
