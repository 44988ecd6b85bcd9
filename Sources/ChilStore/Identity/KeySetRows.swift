package import ChilCore
package import ChilDatabase

/// The last good key set of a URL. A reference table: keys are public, and the same for all tenants.
package struct KeySetLoad: Statement {
    package struct Row: Sendable {
        /// As the issuer gave it.
        package let body: [UInt8]
        package let fetchedAt: Timestamp
    }

    package static let sql = SQL("select body, fetched_at from key_set where url = $1 and is_exception = $2")

    let url: String
    let isException: Bool

    /// - Parameter isException: whether it came by an operator's exception: the other one's set is another row.
    package init(url: String, isException: Bool) {
        self.url = url
        self.isException = isException
    }

    package func run(on database: some Database) async throws(DatabaseError) -> Row? {
        try await database.run(self, .read, of: nil).first
    }

    package func bind(_ values: inout BoundValues) {
        values.append(url)
        values.append(isException)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(body: row.bytes(0), fetchedAt: try row.timestamp(1))
    }
}

/// Keeps a set, unless a newer one is there: replicas fetch for themselves, and keep for all.
package struct KeySetKeep: Statement {
    package typealias Row = Void

    package static let sql = SQL(
        """
        insert into key_set as k (url, is_exception, body, fetched_at) values ($1, $2, $3, $4)
            on conflict (url, is_exception) do update set body = excluded.body, fetched_at = excluded.fetched_at
            where k.fetched_at < excluded.fetched_at
        """
    )

    let url: String
    let isException: Bool
    let body: [UInt8]
    let fetchedAt: Timestamp

    package init(_ body: [UInt8], url: String, isException: Bool, fetchedAt: Timestamp) {
        self.url = url
        self.isException = isException
        self.body = body
        self.fetchedAt = fetchedAt
    }

    package func run(on database: some Database) async throws(DatabaseError) {
        var batch = Batch(.write, of: nil)
        batch.add(self)
        _ = try await database.run(batch)
    }

    package func bind(_ values: inout BoundValues) {
        values.append(url)
        values.append(isException)
        values.append(body)
        values.append(fetchedAt)
    }
}
