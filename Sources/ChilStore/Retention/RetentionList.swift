package import ChilCore
package import ChilDatabase

/// A class of what is kept, each with a limit of its own. Published words.
package enum RetentionClass: String, Sendable, CaseIterable {
    /// Drawings by how they came to be, with their images: from their making.
    case drawingsGenerated = "drawings.generated"
    case drawingsScanned = "drawings.scanned"
    case drawingsUploaded = "drawings.uploaded"
    case drawingsAnimated = "drawings.animated"
    /// Print jobs that are over, with their history: from their making.
    case printJobs = "print-jobs"
    /// Sessions that were ended: from their end. One that nobody ends goes at its absolute end.
    case sessions
    case audit
    /// Addresses in the audit.
    case auditAddresses = "audit-addresses"
    /// What an identity provider told: from when it came.
    case providerEvents = "provider-events"
    /// What was told to a tenant's own servers.
    case webhooks
    /// Receipts of deletions, and requests for erasure that are over.
    case receipts
    /// What guardians said of an account that has ended: from its end. As long as the account before it.
    case consents
}

/// For how long a tenant keeps a class.
package struct RetentionRule: Sendable, Equatable {
    package let kind: RetentionClass
    /// `nil`: for ever, because the operator said so.
    package let days: Int32?
    /// Whether the tenant's operator has said it; else it is the default.
    package let isSet: Bool
}

/// The rule of each class, by the class's name.
package struct RetentionList: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select d.class::text, case when r.class is null then d.days else r.days end, r.class is not null
          from retention_default d
          left join retention r on r.tenant_id = $1 and r.class = d.class
         order by d.class
        """
    )

    package let tenant: TenantID

    package init(of tenant: TenantID) {
        self.tenant = tenant
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> RetentionRule {
        RetentionRule(kind: try row.word(0), days: try row.int32OrNil(1), isSet: try row.bool(2))
    }
}
