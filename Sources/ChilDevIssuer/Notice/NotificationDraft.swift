package import ChilAuth
package import ChilCore

/// What the provider tells a developer's server of a user ("Processing changes for Sign in with Apple accounts").
package struct NotificationDraft: Sendable {
    /// How `events` is written: the provider sends a string of JSON, and documents an object.
    package enum Shape: String, CaseIterable, Sendable {
        case string, object, array
    }

    package var clientID: String
    /// `consent-revoked`, `account-delete`, `account-deleted`, `email-enabled`, `email-disabled`, or anything.
    package var kind: String
    package var subject: String
    package var shape = Shape.string
    package var email: String?
    package var isPrivateEmail: Bool?
    /// When it happened; nil: now. Written in milliseconds.
    package var happened: Timestamp?
    /// `jti`; nil: a fresh one. Telling the same twice is the same identifier twice.
    package var identifier: String?
    package var algorithm: JWSAlgorithm?
    /// More claims, or others in their place.
    package var claims: [AuthorizationDraft.ExtraClaim] = []
    /// A letter of the signature is another.
    package var hasBadSignature = false

    package init(clientID: String, kind: String, subject: String) {
        self.clientID = clientID
        self.kind = kind
        self.subject = subject
    }

    /// From `iat` to `exp`, as observed.
    static let lifetime = Duration.seconds(86_400)

    /// The value of `events`.
    func events(at now: Timestamp) -> [UInt8] {
        var event = JSONMembers()
        event.add("type", kind)
        event.add("sub", subject)
        event.add("event_time", Int((happened ?? now).microseconds / 1_000))
        if let email { event.add("email", email) }
        if let isPrivateEmail { event.add("is_private_email", "\(isPrivateEmail)") }
        let json = event.json()
        switch shape {
        case .object: return json
        case .array: return [UInt8(ascii: "[")] + json + [UInt8(ascii: "]")]
        case .string:
            var writer = ByteWriter(capacity: json.count * 2)
            writer.append(json: String(decoding: json, as: UTF8.self))
            return writer.finish()
        }
    }
}
