import ChilAuth
import ChilCore
import ChilDatabase
import ChilStore

extension LiveServices: KeyServices {
    func keys(of slug: Slug) async throws(AdminFault) -> [KeyRow] {
        let tenant = try await record(of: slug)
        return try await ask { database throws(DatabaseError) in
            try await TenantKeyHistory(of: tenant.id, countMax: Self.keysShownMax).rows(from: database)
        }.map(KeyRow.init)
    }

    func rotateKey(of slug: Slug, waiting wait: KeyRotation.Wait) async throws(AdminFault) -> KeyRotation {
        let tenant = try await record(of: slug)
        let note = try note()
        let change = TenantKeyRotate(
            try keyMaker().key(for: tenant.id, .next, at: note.now),
            of: tenant.id,
            publishedBefore: wait == .not ? note.now : note.now - JWKSet.maxAge,
            note: note
        )
        switch try await ask({ database throws(DatabaseError) in try await change.answer(from: database) }) {
        case .published(let keyID): return KeyRotation(keyID: keyID, step: .published)
        case .activated(let keyID): return KeyRotation(keyID: keyID, step: .activated)
        case .waiting(let keyID, let since):
            return KeyRotation(keyID: keyID, step: .waiting(until: (since + JWKSet.maxAge).description))
        }
    }

    func revokeKey(_ keyID: KeyID, of slug: Slug) async throws(AdminFault) -> KeyRevocation {
        let tenant = try await record(of: slug)
        let note = try note()
        let change = TenantKeyRevoke(
            keyID.text,
            of: tenant.id,
            replacement: try keyMaker().key(for: tenant.id, .active, at: note.now),
            note: note
        )
        let outcome = try await ask { database throws(DatabaseError) in try await change.answer(from: database) }
        let missing = AdminFault(
            .notFound,
            "tenant '\(slug)' has no key '\(keyID.text)'",
            remedy: "`chiladmin key list \(slug)` shows its keys."
        )
        if outcome == .missing { throw missing }
        guard let row = try await keys(of: slug).first(where: { $0.keyID == keyID.text }) else { throw missing }
        switch outcome {
        case .revoked(let active): return KeyRevocation(row: row, wasRevokedBefore: false, activeKeyID: active)
        case .wasRevoked(let active): return KeyRevocation(row: row, wasRevokedBefore: true, activeKeyID: active)
        case .missing: throw missing
        }
    }

    func reseal(_ slug: Slug?) async throws(AdminFault) -> [ResealRow] {
        let maker = try keyMaker()
        let tenants: [TenantRecord]
        if let slug {
            tenants = [try await record(of: slug)]
        } else {
            tenants = try await ask { database throws(DatabaseError) in
                try await database.run(ChilStore.TenantList(), .read, of: nil)
            }
        }
        var rows: [ResealRow] = []
        let progress = progress("key reseal", of: tenants.count, "tenants")
        defer { progress.end() }
        for tenant in tenants {
            rows.append(try await reseal(tenant, maker))
            progress.reached(Int64(rows.count))
        }
        return rows
    }

    /// A few values in each transaction: whenever it ends, each value is sealed under the old or the new version.
    private func reseal(_ tenant: TenantRecord, _ maker: TenantKeyMaker) async throws(AdminFault) -> ResealRow {
        var resealed: Int64 = 0, unreadable: Int64 = 0
        var last: SealedValue?
        while true {
            let page = SealedValuesOfOthers(
                than: maker.version,
                of: tenant.id,
                after: last,
                countMax: Self.sealedPageMax
            )
            let values = try await ask { database throws(DatabaseError) in try await page.rows(from: database) }
            var replaces: [SealedValueReplace] = []
            for value in values {
                guard let bytes = try maker.resealed(value, of: tenant.id) else {
                    unreadable += 1
                    continue
                }
                replaces.append(SealedValueReplace(value, of: tenant.id, by: bytes))
                if replaces.count == Self.resealsPerTransaction {
                    resealed += try await run(replaces, of: tenant.id)
                    replaces = []
                }
            }
            resealed += try await run(replaces, of: tenant.id)
            guard let end = values.last, values.count == Self.sealedPageMax else { break }
            last = end
        }
        if resealed > 0 {
            try await audit("key.reseal", on: "version \(maker.version)", in: tenant.id, "\(resealed) values")
        }
        let short = ShortLivedOfOthers(than: maker.version, of: tenant.id)
        let shortLived = try await ask { database throws(DatabaseError) in try await short.first(from: database) }
        return ResealRow(
            tenant: tenant.slug,
            resealed: resealed,
            unreadable: unreadable,
            shortLived: shortLived ?? 0
        )
    }

    /// How many were replaced. What has changed meanwhile was sealed under the highest version by whoever changed it.
    private func run(_ replaces: [SealedValueReplace], of tenant: TenantID) async throws(AdminFault) -> Int64 {
        guard !replaces.isEmpty else { return 0 }
        return try await ask { database throws(DatabaseError) in
            var batch = Batch(.write, of: tenant)
            let slots = replaces.map { batch.add($0) }
            let result = try await database.run(batch)
            var count: Int64 = 0
            for slot in slots where try result.first(slot) == true { count += 1 }
            return count
        }
    }

    private func keyMaker() throws(AdminFault) -> TenantKeyMaker {
        try TenantKeyMaker(keyFile: try settings.requireKeyFile())
    }

    private static let keysShownMax = 1_000
    private static let sealedPageMax = 1_000
    private static let resealsPerTransaction = 20
}
