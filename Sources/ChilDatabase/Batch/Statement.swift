/// One statement with its values, and how to read its rows. A `Batch` is made of these.
package protocol Statement {
    /// What one row is read as. On hot paths a view over the row's bytes (`ResultRow`), elsewhere a plain value.
    associatedtype Row

    static var sql: SQL { get }

    /// `sql` for many callers at once (`SQL.init(gathering:parameters:)`); `nil` where it is not worth it.
    static var gathered: SQL? { get }

    /// Appends `$1…$n`, in order.
    func bind(_ values: inout BoundValues)

    /// Reads one row. Throws `DatabaseError` with code `.malformedResult` if the row is not what `sql` promises.
    static func row(_ row: ResultRow) throws(DatabaseError) -> Row
}

extension Statement {
    package static var gathered: SQL? { nil }
}

extension Statement where Row == Void {
    /// For statements without a result that matters.
    package static func row(_ row: ResultRow) throws(DatabaseError) {}
}
