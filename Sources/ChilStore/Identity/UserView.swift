package import ChilCore
package import ChilDatabase

/// A user's row, read in place. Byte pointers are valid while the view's `row` (its result) lives.
package struct UserView: Sendable {
    package let row: ResultRow
    private let first: Int
    package let id: UserID
    package let createdAt: Timestamp
    package let updatedAt: Timestamp
    package let emailVerified: Bool?
    package let isPrivateEmail: Bool?

    private static let names = [
        "user_id", "created_at", "updated_at", "email_verified", "is_private_email", "email", "given_name",
        "family_name",
    ]
    static let columns = names.joined(separator: ", ")

    /// The same columns where several tables have such.
    static func columns(of table: String) -> String {
        names.map { "\(table).\($0)" }.joined(separator: ", ")
    }

    init(_ row: ResultRow, from first: Int) throws(DatabaseError) {
        self.row = row
        self.first = first
        id = try row.id(first)
        createdAt = try row.timestamp(first + 1)
        updatedAt = try row.timestamp(first + 2)
        emailVerified = row.isNull(first + 3) ? nil : try row.bool(first + 3)
        isPrivateEmail = row.isNull(first + 4) ? nil : try row.bool(first + 4)
    }

    package var emailBytes: UnsafeRawBufferPointer? { row.unsafeBytesOrNil(first + 5) }
    package var givenNameBytes: UnsafeRawBufferPointer? { row.unsafeBytesOrNil(first + 6) }
    package var familyNameBytes: UnsafeRawBufferPointer? { row.unsafeBytesOrNil(first + 7) }
    package var email: String? { row.textOrNil(first + 5) }
    package var givenName: String? { row.textOrNil(first + 6) }
    package var familyName: String? { row.textOrNil(first + 7) }
}
