import ChilDatabase

/// Whether PostgreSQL has a time zone of that name. (`at time zone` alone takes any POSIX rule too, `foo3` for one.)
struct TimeZoneLookup: Statement {
    static let sql = SQL("select name from pg_timezone_names where name = $1::text limit 1")

    let name: String

    func bind(_ values: inout BoundValues) {
        values.append(name)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
