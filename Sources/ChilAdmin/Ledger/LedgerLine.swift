import ChilCore
import ChilStore

/// A line of a ledger: `{"tenant":1,"user":2,"deletion":3,"deletedAt":"…","receipt":"…"}`, numbers and a digest alone.
struct LedgerLine: Equatable {
    let tenant: TenantID
    let entry: DeletionEntry

    private static let numbers: Range<Int64> = 1..<1 << 53
    private static let digestByteCount = 32

    init(tenant: TenantID, entry: DeletionEntry) {
        self.tenant = tenant
        self.entry = entry
    }

    /// `nil`: it was not written by `bytes`.
    init?(_ line: ArraySlice<UInt8>) {
        guard let object = try? StrictJSON.parse(Array(line)).object, object.members.count == 5,
            let tenant = object["tenant"]?.int64, let user = object["user"]?.int64,
            let deletion = object["deletion"]?.int64,
            Self.numbers.contains(tenant), Self.numbers.contains(user), Self.numbers.contains(deletion),
            let deletedAt = object["deletedAt"]?.string.flatMap({ Timestamp(rfc3339: $0) }),
            let digest = object["receipt"]?.string.flatMap({ Hex.decode($0) }), digest.count == Self.digestByteCount
        else { return nil }
        self.tenant = TenantID(rawValue: tenant)
        entry = DeletionEntry(
            user: UserID(rawValue: user),
            deletion: AccountDeletionID(rawValue: deletion),
            deletedAt: deletedAt,
            receiptDigest: digest
        )
    }

    /// With its line feed.
    var bytes: [UInt8] {
        var json = ByteWriter(capacity: 224)
        json.append("{\"tenant\":")
        json.append(decimal: tenant.rawValue)
        json.append(",\"user\":")
        json.append(decimal: entry.user.rawValue)
        json.append(",\"deletion\":")
        json.append(decimal: entry.deletion.rawValue)
        json.append(",\"deletedAt\":")
        json.append(json: entry.deletedAt)
        json.append(",\"receipt\":")
        json.append(json: Hex.text(of: entry.receiptDigest))
        json.append("}\n")
        return json.finish()
    }
}
