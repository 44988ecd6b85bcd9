package import ChilDatabase

/// Slugs that begin alike, in their order: for completion, and for a slug that was mistyped. Never more than asked for.
package struct TenantSlugs: Statement {
    package static let sql = SQL("select slug from tenant where slug >= $1 and slug < $2 order by slug limit $3")

    let prefix: String
    let countMax: Int64

    package init(beginning prefix: String, countMax: Int64) {
        self.prefix = prefix
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(prefix)
        // Slugs are of a-z, 0-9 and '-': all that begins so is before this.
        values.append(prefix + "~")
        values.append(countMax)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}
