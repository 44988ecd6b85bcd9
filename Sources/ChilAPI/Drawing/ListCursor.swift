import ChilCore
import ChilCrypto
import ChilStore

/// Where a list goes on: the last id shown, signed, bound to tenant, user and filter.
struct ListCursor {
    private static let macBytes = 8
    private let mac: HMACSHA256

    /// - Parameter key: of purpose "chil/cursor".
    init(key: SecretBytes) {
        mac = HMACSHA256(key: key)
    }

    func text(after drawing: DrawingID, of user: UserID, in tenant: TenantID, type: DrawingType?) -> String {
        text(after: drawing.rawValue, user, tenant, type?.rawValue ?? "")
    }

    func text(after job: PrintJobID, of user: UserID, in tenant: TenantID, state: PrintJobState?) -> String {
        text(after: job.rawValue, user, tenant, Self.filter(state))
    }

    /// `nil` for a cursor that was not made here for this list.
    func drawing(_ text: String, of user: UserID, in tenant: TenantID, type: DrawingType?) -> DrawingID? {
        number(text, user, tenant, type?.rawValue ?? "").map { DrawingID(rawValue: $0) }
    }

    func printJob(_ text: String, of user: UserID, in tenant: TenantID, state: PrintJobState?) -> PrintJobID? {
        number(text, user, tenant, Self.filter(state)).map { PrintJobID(rawValue: $0) }
    }

    /// No word of a drawing's list.
    private static func filter(_ state: PrintJobState?) -> String { "print-jobs " + (state?.rawValue ?? "") }

    private func text(after number: Int64, _ user: UserID, _ tenant: TenantID, _ filter: String) -> String {
        Base64URL.text(of: Self.bigEndian(number) + code(number, user, tenant, filter))
    }

    private func number(_ text: String, _ user: UserID, _ tenant: TenantID, _ filter: String) -> Int64? {
        guard let bytes = Base64URL.decode(text), bytes.count == 8 + Self.macBytes else { return nil }
        let number = bytes[..<8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard ConstantTime.areEqual(Array(bytes[8...]), code(number, user, tenant, filter)) else { return nil }
        return number
    }

    private func code(_ number: Int64, _ user: UserID, _ tenant: TenantID, _ filter: String) -> [UInt8] {
        let message =
            Self.bigEndian(tenant.rawValue) + Self.bigEndian(user.rawValue) + Self.bigEndian(number)
            + Array(filter.utf8)
        return Array(mac.code(of: message).bytes[..<Self.macBytes])
    }

    private static func bigEndian(_ number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
