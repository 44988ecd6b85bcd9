import ChilDatabase

/// Whether PostgreSQL has a time zone of that IANA name. `at time zone` alone takes any POSIX rule too, `foo3` for one; and a machine's folder
/// of zones has further files: what the machine itself is set to (`localtime`, `posixrules`), a zone for not having one (`Factory`), and all
/// zones once more, without and with leap seconds (`posix/…`, `right/…`).
struct TimeZoneLookup: Statement {
    static let sql = SQL(
        """
        select name from pg_timezone_names
         where name = $1::text and name not in ('localtime', 'posixrules', 'Factory') and name !~ '^(posix|right)/' limit 1
        """
    )

    let name: String

    func bind(_ values: inout BoundValues) {
        values.append(name)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
