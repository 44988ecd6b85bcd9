package import ChilCore
package import ChilCrypto
package import ChilDatabase

/// A place in a tenant's chain: whoever knows it knows all that is before it.
package struct AuditHead: Sendable, Equatable {
    package let sequence: Int64
    package let digest: Digest256

    package init(sequence: Int64, digest: Digest256) {
        self.sequence = sequence
        self.digest = digest
    }

    /// Before the first row: zeros.
    package static let empty = Self(sequence: 0, digest: Digest256([UInt8](repeating: 0, count: 32))!)

    /// The head after one more link.
    package func next(_ rowDigest: Digest256) -> Self {
        var bytes = ByteWriter(capacity: 72)
        digest.withUnsafeBytes { bytes.append(raw: $0) }
        bytes.append(bigEndian: sequence + 1)
        rowDigest.withUnsafeBytes { bytes.append(raw: $0) }
        return Self(sequence: sequence + 1, digest: bytes.withBytes { SHA256.digest(of: $0) })
    }
}

/// One row's place in the chain, as it is stored.
package struct AuditLink: Sendable, Equatable {
    package let sequence: Int64
    package let audit: Int64
    package let rowDigest: Digest256
    package let chainDigest: Digest256

    package init(sequence: Int64, audit: Int64, rowDigest: Digest256, chainDigest: Digest256) {
        self.sequence = sequence
        self.audit = audit
        self.rowDigest = rowDigest
        self.chainDigest = chainDigest
    }
}

/// Where a tenant's chain begins and ends. `nil`: nothing was ever sealed.
package struct AuditChainOne: TenantStatement {
    package struct Row: Sendable, Equatable {
        /// What was before it had its time, and is gone.
        package let base: AuditHead
        package let head: AuditHead

        package init(base: AuditHead, head: AuditHead) {
            self.base = base
            self.head = head
        }
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(
        "select base_sequence, base_digest, sequence, digest from audit_chain where tenant_id = $1"
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        Row(
            base: AuditHead(sequence: try row.int64(0), digest: try row.digest(1)),
            head: AuditHead(sequence: try row.int64(2), digest: try row.digest(3))
        )
    }
}

/// Links in their order with the rows they are of, a page at a time: row by row (`lateral`, `limit 1`), or a cached plan would read the
/// whole audit for each page.
package struct AuditLinkPage: TenantStatement {
    package struct Row: Sendable {
        package let link: AuditLink
        /// `nil`: there is no such row any more.
        package let row: AuditRow?
        /// Where the row itself says that it is in the chain; `nil`: nowhere.
        package let place: Int64?
    }

    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select l.sequence, l.audit_id, l.row_digest, l.chain_digest, a.sequence, \(AuditRow.columns(of: "a"))
          from audit_link l
          left join lateral (
               select * from audit x where x.tenant_id = $1 and x.audit_id = l.audit_id limit 1
               ) as a on true
         where l.tenant_id = $1 and l.sequence > $2
         order by l.sequence limit $3
        """
    )

    package let tenant: TenantID
    let after: Int64
    let countMax: Int

    package init(of tenant: TenantID, after sequence: Int64, countMax: Int) {
        self.tenant = tenant
        after = sequence
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(after)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> Row {
        let link = AuditLink(
            sequence: try row.int64(0),
            audit: try row.int64(1),
            rowDigest: try row.digest(2),
            chainDigest: try row.digest(3)
        )
        return Row(link: link, row: row.isNull(5) ? nil : try AuditRow(row, from: 5), place: try row.int64OrNil(4))
    }
}

extension ResultRow {
    func digest(_ column: Int) throws(DatabaseError) -> Digest256 {
        guard let digest = Digest256(unsafeBytes(column)) else {
            throw DatabaseError(.malformedResult, detail: "column \(column) is no SHA-256 digest")
        }
        return digest
    }
}
