package import ChilCore
package import ChilDatabase

/// How a printer takes the bodies of requests, as it showed: `chunked` or `length`. `nil`: it was not tried yet.
package struct PrinterUpload: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL("select upload from printer where tenant_id = $1 and printer_id = $2")

    package let tenant: TenantID
    let printer: PrinterID

    package init(of printer: PrinterID, in tenant: TenantID) {
        self.tenant = tenant
        self.printer = printer
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(printer)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> String? { row.textOrNil(0) }
}

/// Keeps how it showed to take them. Once it is `length` it stays so.
package struct PrinterUploadNote: TenantStatement {
    package typealias Row = Void

    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update printer set upload = $3
         where tenant_id = $1 and printer_id = $2 and upload is distinct from 'length'
        """
    )

    package let tenant: TenantID
    let printer: PrinterID
    let upload: String

    package init(_ upload: String, of printer: PrinterID, in tenant: TenantID) {
        self.tenant = tenant
        self.printer = printer
        self.upload = upload
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(printer)
        values.append(upload)
    }
}
