import ChilAuth
import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: ErasureServices {
    func openErasure(of user: UserNumber, in slug: Slug, reference: Remark?) async throws(AdminFault) -> ErasureRow {
        let tenant = try await record(of: slug)
        guard tenant.guest?.user != user.id else { throw .isGuest(tenant: slug.text) }
        _ = try await self.user(user, of: slug)
        let open = ChilStore.ErasureOpen(
            try fresh(),
            for: user.id,
            of: tenant.id,
            reference: reference?.text,
            note: try note()
        )
        let opened = try await ask { database throws(DatabaseError) in try await open.run(on: database) }
        guard let opened else {
            throw AdminFault(
                .dataRefused,
                "a request for this user is open",
                remedy: "`chiladmin erasure list \(slug.text)` shows it: do it or refuse it first."
            )
        }
        return ErasureRow(opened, at: now())
    }

    func erasures(of slug: Slug, includingClosed: Bool) async throws(AdminFault) -> [ErasureRow] {
        let list = ErasureRequestList(of: try await record(of: slug).id, includesClosed: includingClosed)
        let now = now()
        return try await ask { database throws(DatabaseError) in try await list.rows(from: database) }
            .map { ErasureRow($0, at: now) }
    }

    func doErasure(_ request: ErasureNumber, of slug: Slug) async throws(AdminFault) -> ErasureRow {
        let tenant = try await record(of: slug)
        let found = try await openRequest(request, of: tenant)
        guard let deletion = try await delete(found.user, of: tenant, slug) else {
            return try await close(found, of: tenant, as: .done)
        }
        // The end of the account was the end of the request.
        let one = ErasureRequestOne(found.id, of: tenant.id)
        let closed = try await ask { database throws(DatabaseError) in try await one.first(from: database) }
        return ErasureRow(closed ?? found, at: now(), receipt: deletion.receipt.text)
    }

    func refuseErasure(_ request: ErasureNumber, of slug: Slug, because reason: Remark) async throws(AdminFault)
        -> ErasureRow
    {
        let tenant = try await record(of: slug)
        let found = try await openRequest(request, of: tenant)
        return try await close(found, of: tenant, as: .refused(because: reason.text))
    }

    private func close(
        _ request: ErasureRequest,
        of tenant: TenantRecord,
        as outcome: ErasureClose.Outcome
    ) async throws(AdminFault) -> ErasureRow {
        let close = ErasureClose(request.id, of: tenant.id, as: outcome, note: try note())
        let closed = try await ask { database throws(DatabaseError) in try await close.run(on: database) }
        guard let closed else { throw .isClosed(request.id) }
        return ErasureRow(closed, at: now())
    }

    private func openRequest(_ request: ErasureNumber, of tenant: TenantRecord) async throws(AdminFault)
        -> ErasureRequest
    {
        let one = ErasureRequestOne(request.id, of: tenant.id)
        let found = try await ask { database throws(DatabaseError) in try await one.first(from: database) }
        guard let found else {
            throw AdminFault(
                .notFound,
                "tenant '\(tenant.slug)' has no request \(request.id.rawValue)",
                remedy: "`chiladmin erasure list \(tenant.slug) --all` shows its requests."
            )
        }
        guard found.state == .open else { throw .isClosed(found.id) }
        return found
    }
}

extension AdminFault {
    fileprivate static func isClosed(_ request: ErasureRequestID) -> Self {
        Self(
            .dataRefused,
            "request \(request.rawValue) is over",
            remedy: "`chiladmin erasure list TENANT --all` shows what became of it."
        )
    }
}
