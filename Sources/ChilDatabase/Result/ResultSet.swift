internal import CPostgres

/// What one statement answered. Owns one `PGresult *`; rows and texts keep it alive.
///
/// `@unchecked Sendable`: libpq never changes a finished `PGresult`, and only `deinit` frees it.
package final class ResultSet: @unchecked Sendable {
    let pointer: OpaquePointer

    init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        PQclear(pointer)
    }

    package var rowCount: Int { Int(PQntuples(pointer)) }

    /// Rows that an insert, update or delete touched (`PQcmdTuples`); 0 for others.
    package var touchedCount: Int {
        guard let text = PQcmdTuples(pointer) else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    package func row(_ index: Int) -> ResultRow {
        precondition(index >= 0 && index < rowCount, "row index out of range")
        return ResultRow(set: self, index: Int32(index))
    }
}
