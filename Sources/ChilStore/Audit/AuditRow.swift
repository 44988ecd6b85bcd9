package import ChilCore
package import ChilCrypto
import ChilDatabase

/// A row of the audit, as it is kept.
package struct AuditRow: Sendable, Equatable {
    package let id: Int64
    /// Microseconds since 2000-01-01T00:00:00Z, as PostgreSQL keeps them: also what no `Timestamp` could say, such as infinity.
    package let at: Int64
    package let recordedAt: Int64
    package let actorKind: String
    package let actor: String
    package let action: String
    package let target: String?
    package let detail: String?
    package let requestID: String?
    /// Not sealed: it has its time, and goes before the row.
    package let address: String?

    package init(
        id: Int64,
        at: Int64,
        recordedAt: Int64,
        actorKind: String,
        actor: String,
        action: String,
        target: String?,
        detail: String?,
        requestID: String?,
        address: String? = nil
    ) {
        self.id = id
        self.at = at
        self.recordedAt = recordedAt
        self.actorKind = actorKind
        self.actor = actor
        self.action = action
        self.target = target
        self.detail = detail
        self.requestID = requestID
        self.address = address
    }

    /// The action of the first row of every tenant; its target is the tenant's slug.
    static let beginning = "tenant.create"

    static let columns = [
        "audit_id", "at", "recorded_at", "actor_kind", "actor", "action", "target", "detail", "request_id", "address",
    ]

    static func columns(of table: String) -> String {
        columns.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    /// - Parameter first: the column where it begins.
    init(_ row: ResultRow, from first: Int) throws(DatabaseError) {
        id = try row.int64(first)
        at = try row.int64(first + 1)
        recordedAt = try row.int64(first + 2)
        actorKind = row.text(first + 3)
        actor = row.text(first + 4)
        action = row.text(first + 5)
        target = row.textOrNil(first + 6)
        detail = row.textOrNil(first + 7)
        requestID = row.textOrNil(first + 8)
        address = row.textOrNil(first + 9)
    }

    /// What `chil_audit_digest` in `sql/` computes.
    package func digest(of tenant: TenantID) -> Digest256 {
        var bytes = ByteWriter(capacity: 256)
        bytes.append("chil audit 1")
        for number in [tenant.rawValue, id, at, recordedAt] { bytes.append(bigEndian: number) }
        for text in [actorKind, actor, action, target, detail, requestID] { bytes.append(counted: text) }
        return bytes.withBytes { SHA256.digest(of: $0) }
    }

    /// A time of the audit, held within what RFC 3339 can say.
    package static func moment(_ microseconds: Int64) -> Timestamp {
        let (sum, isOver) = microseconds.addingReportingOverflow(epoch)
        return Timestamp(microseconds: isOver ? .max : sum)
    }

    /// The microseconds of a moment since 2000.
    package static func microseconds(_ moment: Timestamp) -> Int64 {
        let (difference, isOver) = moment.microseconds.subtractingReportingOverflow(epoch)
        return isOver ? .min : difference
    }

    /// 2000-01-01T00:00:00Z in microseconds since 1970.
    private static let epoch: Int64 = 946_684_800_000_000
}

extension ByteWriter {
    mutating func append(bigEndian number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { append(raw: $0) }
    }

    /// A text after the number of its bytes and a colon; nil is `-`.
    fileprivate mutating func append(counted text: String?) {
        guard let text else { return append("-") }
        append(decimal: text.utf8.count)
        append(":")
        append(unescaped: text)
    }
}
