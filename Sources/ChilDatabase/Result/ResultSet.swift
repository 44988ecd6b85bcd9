internal import CPostgres

/// What one statement answered, or one caller's share of it. Owns one `PGresult *`; rows, texts and shares keep it alive.
///
/// `@unchecked Sendable`: libpq never changes a finished `PGresult`, and only `deinit` frees it.
package final class ResultSet: @unchecked Sendable {
    let pointer: OpaquePointer
    private let rows: Range<Int>
    private let whole: ResultSet?

    init(takingOwnershipOf pointer: OpaquePointer) {
        self.pointer = pointer
        rows = 0..<Int(PQntuples(pointer))
        whole = nil
    }

    private init(_ whole: ResultSet, _ rows: Range<Int>) {
        pointer = whole.pointer
        self.rows = rows
        self.whole = whole
    }

    deinit {
        if whole == nil { PQclear(pointer) }
    }

    package var rowCount: Int { rows.count }

    /// Rows that an insert, update or delete touched (`PQcmdTuples`); 0 for others.
    package var touchedCount: Int {
        guard let text = PQcmdTuples(pointer) else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    package func row(_ index: Int) -> ResultRow {
        precondition(index >= 0 && index < rowCount, "row index out of range")
        return ResultRow(set: self, index: Int32(rows.lowerBound + index))
    }

    /// A `bigint` of one row, without the row around it: for a pass over many rows.
    package func int64(_ row: Int, _ column: Int) throws(DatabaseError) -> Int64 {
        precondition(row >= 0 && row < rowCount, "row index out of range")
        let place = Int32(rows.lowerBound + row)
        guard PQgetlength(pointer, place, Int32(column)) == 8, let bytes = PQgetvalue(pointer, place, Int32(column))
        else {
            throw .malformedResult("column \(column) is no bigint")
        }
        return Int64(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: Int64.self))
    }

    /// The result of a gathered read, cut by its last column. `nil` if that is not the places from 1 to `count` in their order.
    func shares(among count: Int) -> [ResultSet]? {
        let column = PQnfields(pointer) - 1
        var shares: [ResultSet] = []
        shares.reserveCapacity(count)
        var next = 0
        for place in 1...count {
            let first = next
            while next < rows.count, self.place(next, column) == Int64(place) { next += 1 }
            shares.append(ResultSet(self, first..<next))
        }
        return next == rows.count ? shares : nil
    }

    private func place(_ row: Int, _ column: Int32) -> Int64? {
        guard column >= 0, PQgetlength(pointer, Int32(row), column) == 8,
            let bytes = PQgetvalue(pointer, Int32(row), column)
        else { return nil }
        return Int64(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: Int64.self))
    }
}
