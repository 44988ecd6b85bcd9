package import ChilCore
package import ChilDatabase

/// What is kept of a printer's certificate.
package struct PrinterCertificate: Sendable, Equatable {
    package enum Fault: String, Sendable, CaseIterable { case changed, expired }

    package let printer: PrinterID
    /// SHA-256 of the public key that is trusted; `nil`: the printer was not met by TLS yet.
    package let key: [UInt8]?
    package let keyAt: Timestamp?
    /// What was wrong when it was spoken with last.
    package let fault: Fault?
    /// The key that it showed then.
    package let seen: [UInt8]?

    static let columns = "printer_id, tls_key, tls_key_at, tls_fault, tls_seen"

    init(_ row: ResultRow) throws(DatabaseError) {
        printer = try row.id(0)
        key = row.bytesOrNil(1)
        keyAt = try row.timestampOrNil(2)
        fault = row.textOrNil(3).flatMap { Fault(rawValue: $0) }
        seen = row.bytesOrNil(4)
    }
}

/// The certificates of a tenant's printers that are not removed.
package struct PrinterCertificates: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select \(PrinterCertificate.columns) from printer where tenant_id = $1 and state <> 'removed'"
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterCertificate {
        try PrinterCertificate(row)
    }
}

/// What is kept of one printer's certificate.
package struct PrinterCertificateOne: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select \(PrinterCertificate.columns) from printer where tenant_id = $1 and printer_id = $2"
    )

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

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterCertificate {
        try PrinterCertificate(row)
    }
}

/// Keeps the key of a printer that is met for the first time, and answers what is kept now: another's, if it was quicker.
package struct PrinterCertificateKeep: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update printer
           set tls_key = coalesce(tls_key, $3), tls_key_at = coalesce(tls_key_at, $4), tls_fault = null, tls_seen = null
         where tenant_id = $1 and printer_id = $2
        returning \(PrinterCertificate.columns)
        """
    )

    package let tenant: TenantID
    let printer: PrinterID
    let key: [UInt8]
    let now: Timestamp

    package init(_ key: [UInt8], of printer: PrinterID, in tenant: TenantID, at now: Timestamp) {
        (self.tenant, self.printer, self.key, self.now) = (tenant, printer, key, now)
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(printer)
        values.append(key)
        values.append(now)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterCertificate {
        try PrinterCertificate(row)
    }
}

/// Notes what was wrong with a printer's certificate, or that nothing is any more.
package struct PrinterCertificateNote: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        update printer set tls_fault = $3, tls_seen = $4
         where tenant_id = $1 and printer_id = $2 and (tls_fault, tls_seen) is distinct from ($3, $4)
        returning true
        """
    )

    package let tenant: TenantID
    let printer: PrinterID
    let fault: PrinterCertificate.Fault?
    let seen: [UInt8]?

    package init(_ fault: PrinterCertificate.Fault?, seen: [UInt8]?, of printer: PrinterID, in tenant: TenantID) {
        (self.tenant, self.printer, self.fault) = (tenant, printer, fault)
        self.seen = fault == nil ? nil : seen
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(printer)
        values.append(fault?.rawValue)
        values.append(seen)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Bool { try row.bool(0) }
}
