package import ChilCore
package import ChilDatabase

/// A statement of one tenant that can be a batch by itself: one operation, one round trip, one transaction.
package protocol TenantStatement: Statement {
    static var access: Batch.Access { get }
    var tenant: TenantID { get }
    /// The row that many such batches update, if any.
    var contention: Batch.ContentionKey? { get }
}

extension TenantStatement {
    package var contention: Batch.ContentionKey? { nil }

    package func rows(from database: some Database) async throws(DatabaseError) -> [Row] {
        var batch = Batch(Self.access, of: tenant, contending: contention)
        let slot = batch.add(self)
        return try await database.run(batch).rows(slot)
    }

    /// The rows unread, for those who write them out from their bytes.
    func set(from database: some Database) async throws(DatabaseError) -> ResultSet {
        var batch = Batch(Self.access, of: tenant, contending: contention)
        let slot = batch.add(self)
        return try await database.run(batch).set(slot)
    }

    package func first(from database: some Database) async throws(DatabaseError) -> Row? {
        var batch = Batch(Self.access, of: tenant, contending: contention)
        let slot = batch.add(self)
        return try await database.run(batch).first(slot)
    }

    /// The row of a statement that always has one.
    package func answer(from database: some Database) async throws(DatabaseError) -> Row {
        guard let row = try await first(from: database) else { throw .noRow(of: Self.self) }
        return row
    }

    /// How many rows it inserted, updated or deleted.
    @discardableResult
    package func touched(on database: some Database) async throws(DatabaseError) -> Int {
        var batch = Batch(Self.access, of: tenant, contending: contention)
        let slot = batch.add(self)
        return try await database.run(batch).touched(slot)
    }
}

extension DatabaseError {
    static func noRow<S: Statement>(of statement: S.Type, location: CodeLocation = .here()) -> Self {
        Self(
            .malformedResult,
            detail: "\(S.self) answered no row; run chiladmin migrate if the schema is old",
            location: location
        )
    }

    static func unknownWord(_ word: String, location: CodeLocation = .here()) -> Self {
        Self(
            .malformedResult,
            detail: "unknown word \(word.prefix(40)); a newer release may have written it: upgrade this one",
            location: location
        )
    }
}

extension ResultRow {
    /// A word of a closed list, such as a state.
    func word<Word: RawRepresentable>(_ column: Int, as kind: Word.Type = Word.self) throws(DatabaseError) -> Word
    where Word.RawValue == String {
        let text = text(column)
        guard let word = Word(rawValue: text) else { throw .unknownWord(text) }
        return word
    }

    /// Text that has one item a line; NULL is none.
    func lines(_ column: Int) -> [String] {
        text(column).split(separator: "\n").map(String.init)
    }
}
