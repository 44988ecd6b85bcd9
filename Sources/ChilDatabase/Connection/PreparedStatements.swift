/// Which statements a connection has prepared, or has asked the server to.
struct PreparedStatements {
    /// By the statement's ordinal.
    private var known: [Bool] = []

    func contains(_ sql: SQL) -> Bool {
        sql.ordinal < known.count && known[sql.ordinal]
    }

    mutating func insert(_ sql: SQL) {
        if known.count <= sql.ordinal {
            known.append(contentsOf: repeatElement(false, count: sql.ordinal + 1 - known.count))
        }
        known[sql.ordinal] = true
    }

    mutating func remove(_ sql: SQL) {
        if contains(sql) { known[sql.ordinal] = false }
    }
}
