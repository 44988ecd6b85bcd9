import ChilCore
package import ChilDatabase

extension TenantStatement {
    /// As `answer(from:)`, with something to be told of what it did, in the same transaction.
    package func answer<Tell: Statement>(
        from database: some Database,
        then tell: Tell?
    ) async throws(DatabaseError) -> Row {
        guard let tell else { return try await answer(from: database) }
        var batch = Batch(Self.access, of: tenant, contending: contention)
        let slot = batch.add(self)
        batch.add(tell)
        guard let row = try await database.run(batch).first(slot) else { throw .noRow(of: Self.self) }
        return row
    }
}

/// Tells that a user was made, if the batch before it made one of this number.
package struct UserCreatedTell: Statement {
    package typealias Row = Void

    package static let sql = SQL(
        """
        select chil_emit(u.tenant_id, u.user_id, 'user.created', u.user_id::text, '"userId":' || u.user_id, $3)
          from app_user u where u.tenant_id = $1 and u.user_id = $2
        """
    )

    let tenant: TenantID
    let user: UserID
    let now: Timestamp

    /// - Parameter signIn: which may make a user.
    package init(_ signIn: SignIn) {
        tenant = signIn.tenant
        user = signIn.newUser
        now = signIn.now
    }

    package func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(now)
    }
}

/// Tells that a session ended because its refresh token was used by two, if the batch before it ended it.
package struct SessionReuseTell: Statement {
    package typealias Row = Void

    package static let sql = SQL(
        """
        select chil_emit(
                   s.tenant_id, s.session_id, 'session.reuse', s.user_id::text,
                   '"sessionId":' || s.session_id || ',"userId":' || s.user_id, $3
               )
          from session s
         where s.tenant_id = $1 and s.session_id = $2 and s.end_reason = 'reused' and s.ended_at = $3
        """
    )

    let refresh: SessionRefresh

    package init(_ refresh: SessionRefresh) {
        self.refresh = refresh
    }

    package func bind(_ values: inout BoundValues) {
        values.append(refresh.tenant)
        values.append(refresh.session)
        values.append(refresh.now)
    }
}

/// Tells that a drawing was made, if the batch before it made it.
package struct DrawingCreatedTell: Statement {
    package typealias Row = Void

    package static let sql = SQL(
        """
        select chil_emit(
                   d.tenant_id, d.drawing_id, 'drawing.created', d.drawing_id::text,
                   '"drawingId":' || d.drawing_id || ',"userId":' || d.owner_id, $4
               )
          from drawing d where d.tenant_id = $1 and d.owner_id = $2 and d.drawing_id = $3
        """
    )

    let create: DrawingCreate

    package init(_ create: DrawingCreate) {
        self.create = create
    }

    package func bind(_ values: inout BoundValues) {
        values.append(create.tenant)
        values.append(create.owner)
        values.append(create.draft.id)
        values.append(create.now)
    }
}
