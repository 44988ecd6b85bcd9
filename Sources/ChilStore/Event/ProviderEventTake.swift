package import ChilCore
package import ChilDatabase

package enum ProviderEventKind {}

/// The number of an event, which its work and its audit row have too.
package typealias ProviderEventID = Identifier<ProviderEventKind>

/// Stores what a provider told, with work to act on it. Sent again, it is stored once.
package struct ProviderEventTake: Statement {
    /// What is done about it.
    package enum Effect: String, Sendable {
        case consentRevoked = "consent-revoked"
        case accountDeleted = "account-delete"
        case emailEnabled = "email-enabled"
        case emailDisabled = "email-disabled"
    }

    package enum What: Sendable {
        case known(Effect, of: String)
        /// Nothing is done about it here: it is kept for operators to see, without whom it is of.
        case unknown(String)
    }

    package static let sql = SQL(entering: "select chil_take_event($1, $2, $3, $4, $5, $6, $7, $8, $9)")

    let tenant: TenantID
    let id: ProviderEventID
    let provider: ProviderID
    let digest: [UInt8]
    let what: What
    let happened: Timestamp
    let now: Timestamp

    /// - Parameters:
    ///   - digest: what it is known again by.
    ///   - happened: as the provider says; a moment in the future counts as now.
    package init(
        _ what: What,
        _ id: ProviderEventID,
        in tenant: TenantID,
        provider: ProviderID,
        digest: [UInt8],
        happened: Timestamp,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.id = id
        self.provider = provider
        self.digest = digest
        self.what = what
        self.happened = happened
        self.now = now
    }

    /// All of a notification's events, or none. Which of them were new.
    package static func run(
        _ events: [Self],
        of tenant: TenantID,
        on database: some Database
    ) async throws(DatabaseError) -> [Bool] {
        var batch = Batch(.write, of: tenant)
        let slots = events.map { batch.add($0) }
        let result = try await database.run(batch)
        var isNew: [Bool] = []
        for slot in slots {
            guard let row = try result.first(slot) else { throw .noRow(of: Self.self) }
            isNew.append(row)
        }
        return isNew
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(id)
        values.append(provider)
        values.append(digest)
        switch what {
        case .known(let effect, let subject):
            values.append(effect.rawValue)
            values.append(subject)
            values.append(true)
        case .unknown(let kind):
            values.append(kind)
            values.append("")
            values.append(false)
        }
        values.append(happened)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
