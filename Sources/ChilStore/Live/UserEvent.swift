package import ChilCore
package import ChilDatabase

package enum UserEventKind {}
package typealias UserEventID = Identifier<UserEventKind>

/// Something that happened to what a person has.
package struct UserEvent: Sendable, Equatable {
    /// As long as they are kept, and an app may be away without missing one.
    package static let life = Duration.seconds(86_400)

    package let id: UserEventID
    package let type: String
    /// Members of a JSON object.
    package let data: String

    package var at: Timestamp { IDGenerator.moment(of: id.rawValue) }
}

extension UserEventID {
    /// Below all numbers of events that happened at `moment` or later, by their writer's clock.
    package init(before moment: Timestamp) {
        self.init(rawValue: max(0, moment.microseconds / 1_000 - IDGenerator.epochMilliseconds) << 11)
    }
}

/// A person's events behind a number, in the order of their numbers.
package struct UserEventPage: TenantStatement {
    package static let access = Batch.Access.read
    package static let sql = SQL(
        """
        select event_id, type, data from user_event
         where tenant_id = $1 and user_id = $2 and event_id > $3 order by event_id limit $4
        """
    )

    package let tenant: TenantID
    let user: UserID
    let after: UserEventID
    let countMax: Int

    package init(of user: UserID, in tenant: TenantID, after: UserEventID, countMax: Int) {
        self.tenant = tenant
        self.user = user
        self.after = after
        self.countMax = countMax
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(after)
        values.append(Int64(countMax))
    }

    package static func row(_ row: ResultRow) throws(DatabaseError) -> UserEvent {
        UserEvent(id: try row.id(0), type: row.text(1), data: row.text(2))
    }
}

/// What came for somebody who listens, and whether the session that they listen with is alive: in one trip.
package struct LiveLook: Sendable {
    let page: UserEventPage
    let check: SessionCheck

    package init(_ page: UserEventPage, with session: SessionID) {
        self.page = page
        check = SessionCheck(session, of: page.tenant)
    }

    /// - Returns: `nil` where the session is over, or another's.
    package func run(on database: some Database, at now: Timestamp) async throws(DatabaseError) -> [UserEvent]? {
        var batch = Batch(.read, of: page.tenant)
        let session = batch.add(check)
        let events = batch.add(page)
        let result = try await database.run(batch)
        guard let record = try result.first(session), record.user == page.user, record.isLive(at: now) else {
            return nil
        }
        return try result.rows(events)
    }
}

/// Removes what has had its time.
package struct UserEventSweep: Statement {
    package typealias Row = Void

    package static let sql = SQL(
        """
        delete from user_event where tenant_id = $1 and event_id <= (
            select max(event_id) from (
                select event_id from user_event where tenant_id = $1 and event_id < $2 order by event_id limit $3
            ) as oldest
        )
        """
    )

    let tenant: TenantID
    let now: Timestamp
    let countMax: Int

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(UserEventID(before: now - UserEvent.life))
        values.append(Int64(countMax))
    }
}
