package import ChilCore

extension SignIn {
    /// The session to be made. Its generation is 1.
    package struct NewSession: Sendable {
        package let id: SessionID
        /// 16 random bytes.
        package let salt: [UInt8]
        package let deviceName: String?
        package let idleExpires: Timestamp
        package let expires: Timestamp
        package let limit: Limit?

        /// How many live sessions the user may have with this one, and the number of the audit row if others end for it.
        package struct Limit: Sendable {
            package let countMax: Int32
            package let audit: AuditID

            package init(countMax: Int32, audit: AuditID) {
                self.countMax = countMax
                self.audit = audit
            }
        }

        package init(
            id: SessionID,
            salt: [UInt8],
            deviceName: String?,
            idleExpires: Timestamp,
            expires: Timestamp,
            limit: Limit? = nil
        ) {
            self.id = id
            self.salt = salt
            self.deviceName = deviceName
            self.idleExpires = idleExpires
            self.expires = expires
            self.limit = limit
        }
    }

    /// The session that was made the first time. Its generation is 1.
    package struct MadeSession: Sendable, Equatable {
        package let id: SessionID
        package let salt: [UInt8]
        package let idleExpires: Timestamp

        package init(id: SessionID, salt: [UInt8], idleExpires: Timestamp) {
            self.id = id
            self.salt = salt
            self.idleExpires = idleExpires
        }
    }
}
