package import ChilCore
package import ChilDatabase

/// An operator trusts a printer's key: the certificate is accepted as it is, past its time too.
package struct PrinterTrust: TenantStatement {
    package static let access = Batch.Access.write
    package static let sql = SQL(
        """
        with change as (
            update printer set tls_key = $6, tls_key_at = $3, tls_fault = null, tls_seen = null, updated_at = $3
             where tenant_id = $1 and name = $5 and state <> 'removed'
            returning \(PrinterRecord.columns)
        ), \(OperatorNote.insert("printer.trust", target: "name", detail: "'sha256:' || encode($6, 'hex')"))
        select change.* from change
        """
    )

    package let tenant: TenantID
    let name: String
    let key: [UInt8]
    let note: OperatorNote

    package init(_ key: [UInt8], ofPrinter name: String, in tenant: TenantID, note: OperatorNote) {
        (self.tenant, self.name, self.key, self.note) = (tenant, name, key, note)
    }

    package func bind(_ values: inout BoundValues) {
        note.bind(&values, of: tenant)
        values.append(name)
        values.append(key)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> PrinterRecord { try PrinterRecord(row) }
}
