/// The answers of a committed batch, one `ResultSet` per statement that was added.
package struct BatchResult: Sendable {
    let sets: [ResultSet]

    package func set<S: Statement>(_ slot: Batch.Slot<S>) -> ResultSet {
        sets[slot.index]
    }

    /// Every row of the statement, read.
    package func rows<S: Statement>(_ slot: Batch.Slot<S>) throws(DatabaseError) -> [S.Row] {
        let set = sets[slot.index]
        var rows: [S.Row] = []
        let count = set.rowCount
        rows.reserveCapacity(count)
        for index in 0..<count {
            rows.append(try S.row(set.row(index)))
        }
        return rows
    }

    /// The first row of the statement, or `nil` when it has none.
    package func first<S: Statement>(_ slot: Batch.Slot<S>) throws(DatabaseError) -> S.Row? {
        let set = sets[slot.index]
        guard set.rowCount > 0 else { return nil }
        return try S.row(set.row(0))
    }

    /// Rows that the statement inserted, updated or deleted.
    package func touched<S: Statement>(_ slot: Batch.Slot<S>) -> Int {
        sets[slot.index].touchedCount
    }
}
