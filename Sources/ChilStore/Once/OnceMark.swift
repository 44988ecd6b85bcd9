package import ChilCore
package import ChilDatabase

/// What tells a request that is sent again: digests of its key and of what it asks, and until when it is remembered.
package struct OnceMark: Sendable {
    /// How long a key is remembered.
    package static let life = Duration.seconds(24 * 3_600)

    /// 32 bytes each, under a key of the service's.
    package let key: [UInt8]
    let body: [UInt8]
    let expires: Timestamp

    package init(key: [UInt8], body: [UInt8], at now: Timestamp) {
        self.key = key
        self.body = body
        expires = now + Self.life
    }

    /// Requests with one key go one after another, unless they wait for something else in common.
    func contention(of tenant: TenantID) -> Batch.ContentionKey {
        var row: Int64 = 0
        for byte in key.prefix(8) { row = row << 8 | Int64(byte) }
        return Batch.ContentionKey(tenant: tenant, row: row)
    }

    func bind(_ values: inout BoundValues) {
        values.append(key)
        values.append(body)
        values.append(expires)
    }
}

/// What became of a request with a key.
package enum Once<Outcome: Sendable & Equatable>: Sendable, Equatable {
    /// It was the first: the effect's own outcome.
    case first(Outcome)
    /// It happened before and made this.
    case repeated(Int64)
    /// The key belongs to a request that asked for something else.
    case otherBody
    /// A request with the key is under way.
    case running

    init?(_ row: ResultRow, subject column: Int) throws(DatabaseError) {
        switch row.text(0) {
        case "done": self = .repeated(try row.int64(column))
        case "other": self = .otherBody
        case "running": self = .running
        default: return nil
        }
    }
}

/// Marks a request in several steps as running, until the lease ends or its last step comes with the same subject.
package struct OnceBegin: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL("select * from chil_once($1, $2, $3, $4, $5, $6, $7, $8)")

    package let tenant: TenantID
    let user: UserID
    let mark: OnceMark
    let subject: Int64
    let lease: Timestamp
    let now: Timestamp

    /// - Parameter subject: the number of what it will make.
    package init<Kind>(
        _ mark: OnceMark,
        by user: UserID,
        in tenant: TenantID,
        making subject: Identifier<Kind>,
        until lease: Timestamp,
        at now: Timestamp
    ) {
        self.tenant = tenant
        self.user = user
        self.mark = mark
        self.subject = subject.rawValue
        self.lease = lease
        self.now = now
    }

    package var contention: Batch.ContentionKey? { mark.contention(of: tenant) }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(mark.key)
        values.append(mark.body)
        values.append(subject)
        values.append(lease)
        values.append(mark.expires)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Once<Bool> {
        try Once(row, subject: 1) ?? .first(true)
    }
}

/// Takes the mark away again: nothing came of it.
package struct OnceForget: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL("select chil_once_forget($1, $2, $3, $4)")

    package let tenant: TenantID
    let user: UserID
    let mark: OnceMark
    let subject: Int64

    package init<Kind>(_ mark: OnceMark, by user: UserID, in tenant: TenantID, making subject: Identifier<Kind>) {
        self.tenant = tenant
        self.user = user
        self.mark = mark
        self.subject = subject.rawValue
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(mark.key)
        values.append(subject)
    }
}
