import ChilCore
import ChilDatabase
import ChilPrint
import ChilStore

extension LiveServices: TenantServices {
    func createTenant(_ draft: TenantDraft) async throws(AdminFault) -> TenantRow {
        let id: TenantID = try fresh()
        let key = try TenantKeyMaker(keyFile: try settings.requireKeyFile()).key(for: id, .active, at: now())
        try await requireTimeZone(draft.timeZone)
        let change = ChilStore.TenantCreate(
            id,
            slug: draft.slug.text,
            name: draft.name.text,
            timeZone: draft.timeZone,
            guest: draft.isGuestServed ? try fresh() : nil,
            key: key,
            note: try note()
        )
        return TenantRow(try await ask { database throws(DatabaseError) in try await change.run(on: database) })
    }

    func tenants() async throws(AdminFault) -> [TenantRow] {
        let tenants = try await ask { database throws(DatabaseError) in
            try await database.run(ChilStore.TenantList(), .read, of: nil)
        }
        let limits = try await ask { database throws(DatabaseError) in
            try await database.run(SessionLimits(of: tenants.map(\.id)), .read, of: nil)
        }
        let limitOf = Dictionary(limits.map { ($0.tenant, $0.limit) }) { first, _ in first }
        return tenants.map { TenantRow($0.with(sessionsMax: limitOf[$0.id])) }
    }

    func tenant(_ slug: Slug) async throws(AdminFault) -> TenantRow {
        let tenant = try await record(of: slug)
        let limit = try await ask { database throws(DatabaseError) in
            try await database.run(SessionLimits(of: [tenant.id]), .read, of: nil).first?.limit
        }
        return TenantRow(tenant.with(sessionsMax: limit))
    }

    func setTenant(_ slug: Slug, to state: TenantRecord.State) async throws(AdminFault) -> TenantRow {
        let tenant = try await record(of: slug)
        let change = TenantSetState(tenant.id, to: state, note: try note())
        _ = try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        let row = try await self.tenant(slug)
        guard row.state == state else {
            throw AdminFault(
                .dataRefused,
                "tenant '\(slug.text)' is being deleted: its time has come",
                remedy: "What is left of it goes within the hour; a backup has the rest."
            )
        }
        return row
    }

    func scheduleEnd(of slug: Slug) async throws(AdminFault) -> TenantEndRow {
        let tenant = try await record(of: slug)
        let delete = ChilStore.TenantDelete(tenant.id, note: try note())
        _ = try await ask { database throws(DatabaseError) in try await delete.run(on: database) }
        return TenantEndRow(slug: slug.text, rowCount: nil, purgeAt: try await self.tenant(slug).purgeAt)
    }

    func deleteTenant(_ slug: Slug) async throws(AdminFault) -> TenantEndRow {
        let tenant = try await record(of: slug)
        let end = TenantEnd(tenant.id, by: settings.operatorName, at: now())
        // One statement, which says nothing of itself.
        let ticker = ProgressTicker(progress("tenant delete", of: nil, "s"))
        defer { ticker.stop() }
        let outcome = try await withOwnDatabase({ $0.patient(TenantEnd.patience) }) { database throws(DatabaseError) in
            try await end.answer(from: database)
        }
        switch outcome {
        case .deleted(let rows): return TenantEndRow(slug: slug.text, rowCount: rows)
        case .missing: throw .noSuchTenant(slug.text)
        case .serving:
            throw AdminFault(
                .dataRefused,
                "tenant '\(slug.text)' is served",
                remedy: "Suspend it first: `chiladmin tenant suspend \(slug.text)`; or leave --now out."
            )
        }
    }

    func changeTenant(_ draft: TenantSettingsDraft, of slug: Slug) async throws(AdminFault) -> TenantRow {
        let tenant = try await record(of: slug)
        let idle = draft.idle.map { Duration.seconds($0.seconds) } ?? tenant.sessionRules.idle
        let absolute = draft.absolute.map { Duration.seconds($0.seconds) } ?? tenant.sessionRules.absolute
        guard idle >= .seconds(600), idle <= .seconds(365 * 86_400) else {
            throw AdminFault(
                .dataRefused,
                "sessions cannot idle for \(Lifetime(seconds: idle.components.seconds).text)",
                remedy: "Give --session-idle a length from 10m to 365d."
            )
        }
        guard idle <= absolute else {
            throw AdminFault(
                .dataRefused,
                "a session would end before it is idle for too long",
                remedy:
                    "Give --session-absolute at least --session-idle, which is \(Lifetime(seconds: idle.components.seconds).text)."
            )
        }
        if let name = draft.name {
            let change = TenantSetName(name.text, of: tenant.id, note: try note())
            _ = try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        }
        if let zone = draft.timeZone {
            try await requireTimeZone(zone)
            let move = TenantSetTimeZone(zone, of: tenant.id, note: try note())
            _ = try await ask { database throws(DatabaseError) in try await move.run(on: database) }
        }
        let change = TenantSetSessions(.init(idle: idle, absolute: absolute), of: tenant.id, note: try note())
        _ = try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        let key = QuotaKey(stored: .sessionsPerUser, .user, .none)
        switch draft.countMax {
        case nil: break
        case .none?: _ = try await unsetQuota(key, of: slug)
        case .count(let count)?: _ = try await setQuota(try .init(key, limit: Int64(count)), of: slug)
        }
        return try await self.tenant(slug)
    }

    func setGuest(_ draft: GuestDraft, of slug: Slug) async throws(AdminFault) -> TenantRow {
        let tenant = try await record(of: slug)
        var newGuest: UserID?
        if draft.isServed == .on {
            var isThere = false
            if let known = tenant.knownGuest {
                let user = UserOne(known, of: tenant.id)
                isThere =
                    try await ask { database throws(DatabaseError) in try await user.first(from: database) } != nil
            }
            if !isThere { newGuest = try fresh() }
        }
        let change = TenantSetGuest(
            .init(isServed: draft.isServed.map { $0 == .on }, printsPerDay: draft.printsPerDay?.count),
            of: tenant.id,
            newGuest: newGuest,
            note: try note()
        )
        _ = try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        return try await self.tenant(slug)
    }

    func setPrinting(_ draft: PrintingDraft, of slug: Slug) async throws(AdminFault) -> TenantRow {
        let tenant = try await record(of: slug)
        let change = TenantSetPrinting(
            .init(
                fit: draft.scale?.rawValue,
                paper: draft.paper.map { $0.name?.rawValue },
                hasMark: draft.mark.map { $0 == .on }
            ),
            of: tenant.id,
            note: try note()
        )
        _ = try await ask { database throws(DatabaseError) in try await change.run(on: database) }
        return try await self.tenant(slug)
    }

    private func requireTimeZone(_ name: String) async throws(AdminFault) {
        let found = try await ask { database throws(DatabaseError) in
            try await database.run(TimeZoneLookup(name: name), .read, of: nil)
        }
        guard found.isEmpty else { return }
        throw AdminFault(
            .dataRefused,
            "PostgreSQL knows no time zone '\(name)'",
            remedy: "Give an IANA name such as Asia/Seoul or UTC."
        )
    }
}
