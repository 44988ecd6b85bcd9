package import ChilCore
package import ChilDatabase

/// `DrawingCreate` of a request with a key (`chil_once_create_drawing` in `sql/`): the record is written with the drawing, or neither.
package struct DrawingCreateOnce: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        select * from chil_once_create_drawing($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
        """
    )

    let create: DrawingCreate
    let mark: OnceMark

    package init(_ create: DrawingCreate, _ mark: OnceMark) {
        self.create = create
        self.mark = mark
    }

    package var tenant: TenantID { create.tenant }
    package var contention: Batch.ContentionKey? { create.contention ?? mark.contention(of: tenant) }

    package func bind(_ values: inout BoundValues) {
        create.bind(&values)
        mark.bind(&values)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Once<DrawingCreate.Outcome> {
        if let earlier = try Once<DrawingCreate.Outcome>(row, subject: 1) { return earlier }
        return .first(try DrawingCreate.row(row))
    }
}

/// `PrintJobCreate` of a request with a key (`chil_once_create_print_job` in `sql/`).
package struct PrintJobCreateOnce: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        "select * from chil_once_create_print_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)"
    )

    let create: PrintJobCreate
    let mark: OnceMark

    package init(_ create: PrintJobCreate, _ mark: OnceMark) {
        self.create = create
        self.mark = mark
    }

    package var tenant: TenantID { create.tenant }
    package var contention: Batch.ContentionKey? { create.contention ?? mark.contention(of: tenant) }

    package func bind(_ values: inout BoundValues) {
        create.bind(&values)
        mark.bind(&values)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Once<PrintJobCreate.Outcome> {
        if let earlier = try Once<PrintJobCreate.Outcome>(row, subject: 3) { return earlier }
        return .first(try PrintJobCreate.row(row))
    }
}
