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
        var bytes = Self.bigEndian(drawing.rawValue)
        bytes += code(drawing.rawValue, user, tenant, type)
        return Base64URL.text(of: bytes)
    }

    /// `nil` for a cursor that was not made here for this list.
    func drawing(_ text: String, of user: UserID, in tenant: TenantID, type: DrawingType?) -> DrawingID? {
        guard let bytes = Base64URL.decode(text), bytes.count == 8 + Self.macBytes else { return nil }
        let number = bytes[..<8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        guard ConstantTime.areEqual(Array(bytes[8...]), code(number, user, tenant, type)) else { return nil }
        return DrawingID(rawValue: number)
    }

    private func code(_ number: Int64, _ user: UserID, _ tenant: TenantID, _ type: DrawingType?) -> [UInt8] {
        let message =
            Self.bigEndian(tenant.rawValue) + Self.bigEndian(user.rawValue) + Self.bigEndian(number)
            + Array((type?.rawValue ?? "").utf8)
        return Array(mac.code(of: message).bytes[..<Self.macBytes])
    }

    private static func bigEndian(_ number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
