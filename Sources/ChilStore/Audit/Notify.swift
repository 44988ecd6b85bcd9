package import ChilCore
package import ChilDatabase

/// Tells running services, in the batch that changed something. It takes a lock that serialises commits, so only revocation and
/// settings use it; the queue's wake-ups are coalesced by their sender.
package struct Notify: Statement {
    package typealias Row = Void

    package static let channel = "chil"
    package static let sql = SQL("select pg_notify('chil', $1::text)")

    let payload: String

    /// Settings, clients, keys or state of the tenant changed.
    package static func tenant(_ tenant: TenantID) -> Self {
        Self(payload: "tenant \(tenant.rawValue)")
    }

    /// The session ended.
    package static func session(_ session: SessionID, of tenant: TenantID) -> Self {
        Self(payload: "session \(tenant.rawValue) \(session.rawValue)")
    }

    /// Any session of the user may have ended.
    package static func user(_ user: UserID, of tenant: TenantID) -> Self {
        Self(payload: "user \(tenant.rawValue) \(user.rawValue)")
    }

    /// A drawing that was being made is ready, or will never be.
    package static func drawing(_ drawing: DrawingID, of tenant: TenantID) -> Self {
        Self(payload: "drawing \(tenant.rawValue) \(drawing.rawValue)")
    }

    /// These people's apps have something to hear.
    ///
    /// - Parameter people: too many for one notification: everybody's may have.
    package static func live(_ people: some Collection<(tenant: TenantID, user: UserID)>) -> Self {
        guard people.count <= peopleMax else { return Self(payload: "live") }
        var payload = ByteWriter(capacity: 4 + people.count * 2 * (1 + ByteCursor.decimalBytesMax))
        payload.append("live")
        for person in people {
            payload.append(" ")
            payload.append(decimal: person.tenant.rawValue)
            payload.append(" ")
            payload.append(decimal: person.user.rawValue)
        }
        return Self(payload: payload.text)
    }

    /// A payload has less than 8,000 bytes (sql-notify), and two numbers of 53 bits with their spaces 34.
    private static let peopleMax = 200

    /// The queue has something.
    package static let work = Self(payload: "work")

    package func bind(_ values: inout BoundValues) {
        values.append(payload)
    }
}
