/// A type of PostgreSQL's as arrays of it are sent; the raw value is its number in `pg_type`.
package enum ColumnKind: Int32, Sendable {
    case boolean = 16
    case bytea = 17
    case bigint = 20
    case integer = 23
    case text = 25
    case timestamptz = 1184
}
