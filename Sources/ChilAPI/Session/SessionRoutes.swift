import ChilAuth
import ChilCore
import ChilHTTP
import ChilLoop
import ChilStore

extension APIService {
    /// The tokens of a session.
    func issue(_ grant: Grant, _ call: Call) throws -> IssuedTokens {
        // In whole seconds, and never past the session's end.
        let lifetime = min(AccessToken.lifetime(using: &jitter), .seconds((grant.ends - call.now).components.seconds))
        let access = try call.tenant.keys.issuer(at: call.now).issue(
            user: grant.user,
            session: grant.session,
            generation: grant.generation,
            at: call.now,
            for: lifetime
        )
        let refresh = shared.minter.token(
            tenant: call.tenant.id,
            session: grant.session,
            counter: UInt32(bitPattern: grant.generation),
            salt: grant.salt
        )
        return IssuedTokens(
            access: access,
            expiresIn: lifetime.components.seconds,
            refresh: refresh.text,
            refreshExpiresIn: (grant.ends - call.now).components.seconds
        )
    }

    /// The tokens of a session as an answer, and what the caller adds to them.
    func grant(_ grant: Grant, _ call: Call, _ addMembers: (inout ByteWriter) -> Void = { _ in }) throws -> Response {
        let tokens = try issue(grant, call)
        var body = ByteWriter(capacity: IssuedTokens.answerBytes)
        body.append("{")
        tokens.appendMembers(to: &body)
        addMembers(&body)
        body.append("}")
        return .json(.ok, &body)
    }

    /// `POST auth/refresh`
    func refresh(_ call: Call) async throws -> Response {
        var fields = FieldReader(try await call.jsonObject())
        let text = fields.requiredText("refreshToken", TextRule(bytesMax: 512))
        try fields.finish()
        return try grant(try await refreshed(text, call), call)
    }

    /// What a refresh token gives.
    ///
    /// - Parameter client: who sends it; it must be whom it was given to (RFC 6749 §6, §10.4). `nil`: the sender does not say.
    /// - Throws: `Problem.invalidRefreshToken` for one that gives nothing, or nothing any more.
    func refreshed(_ text: String, of client: String? = nil, _ call: Call) async throws -> Grant {
        guard let token = RefreshToken(parsing: text), token.tenant == call.tenant.id,
            let record = try await SessionCheck(token.session, of: token.tenant).first(from: database),
            shared.minter.isGenuine(token, salt: record.salt)
        else { throw Problem.invalidRefreshToken }
        try await call.admission.admit(record.user, of: token.tenant, limiter)
        try await countUnlessRefused(call)
        if let client {
            let own = try await SessionClient(of: token.session, in: token.tenant).first(from: database)
            guard let own = own ?? nil, own.isExactly(client) else { throw Problem.invalidRefreshToken }
        }
        let refresh = SessionRefresh(
            token.session,
            of: token.tenant,
            counter: Int32(bitPattern: token.counter),
            audit: try ids.next(at: call.now),
            caller: call.caller,
            at: call.now,
            living: call.tenant.sessionRules
        )
        let tell = call.tenant.wants(.sessionReuse) ? SessionReuseTell(refresh) : nil
        switch try await refreshes.outcome(of: refresh, token, then: tell) {
        case .rotated(let granted), .same(let granted):
            return Grant(
                user: granted.user,
                session: token.session,
                generation: granted.generation,
                salt: record.salt,
                ends: granted.expires
            )
        case .reused:
            sessions.sessionEnded(token.session, of: token.tenant, at: loop.monotonicNow)
            throw Problem.invalidRefreshToken
        case .ended, .missing: throw Problem.invalidRefreshToken
        }
    }

    /// `POST auth/logout`: 204, also when already signed out.
    func logout(_ call: Call) async throws -> Response {
        var scope = SessionsEnd.Scope.local
        if call.exchange.announcedBodyBytes != 0 {
            var fields = FieldReader(try await call.jsonObject())
            scope = fields.choice("scope", SessionsEnd.Scope.self) ?? .local
            try fields.finish()
        }
        let caller: Session
        do {
            caller = try await session(call)
        } catch let problem as Problem where problem.code == .unauthorized {
            // An app that was away for ten minutes signs out with an expired token: its session must end all the same.
            guard let expired = authenticator.expiredSession(call.head, of: call.tenant, at: call.now) else {
                return Response(.noContent)
            }
            // The others only while its own lives: a token of long ago ends nothing of today's.
            if scope != .local {
                let record = try await SessionCheck(expired.id, of: expired.tenant).first(from: database)
                guard let record, record.isLive(at: call.now), record.user == expired.user else {
                    return Response(.noContent)
                }
            }
            caller = expired
        }
        let end = SessionsEnd(
            scope,
            from: caller.id,
            by: caller.user,
            of: caller.tenant,
            audit: try ids.next(at: call.now),
            caller: call.caller,
            at: call.now
        )
        _ = try await end.answer(from: database)
        switch scope {
        case .local: sessions.sessionEnded(caller.id, of: caller.tenant, at: loop.monotonicNow)
        case .others, .global: sessions.sessionsEnded(of: caller.user, in: caller.tenant, at: loop.monotonicNow)
        }
        return Response(.noContent)
    }
}
