package import ChilCore
import ChilHTTP

extension DevelopmentIssuer {
    /// `POST /auth/usermigrationinfo`: the sending team asks with `sub` and `target`, the receiving one with `transfer_sub`.
    func migrationAnswer(
        _ form: QueryItems,
        bearer: String?,
        at now: Timestamp
    ) throws(OAuthError) -> IssuerAnswer {
        let clientID = try form.required("client_id")
        let team = try team(of: form, clientID, at: now)
        guard let bearer, state.withLock({ $0.ledger.isMigrationToken(bearer, of: clientID, at: now) }) else {
            throw .invalidClient("Authorization is no access token of this client with the scope user.migration.")
        }
        if let identifier = form["transfer_sub"] { return try received(identifier, by: team, at: now) }
        let subject = try form.required("sub")
        let target = try form.required("target")
        guard !target.isExactly(team.teamID) else { throw .invalidRequest("target is the team that asks.") }
        var members = JSONMembers()
        members.add("transfer_sub", beginTransfer(of: subject, from: team.teamID, to: target, at: now))
        return .ok(members)
    }

    /// What the sending team would be told: the transfer identifier of its user.
    package func beginTransfer(of subject: String, from: String, to: String, at now: Timestamp) -> String {
        state.withLock { $0.transfers.begin(subject: subject, from: from, to: to, at: now) }
    }

    /// What the receiving team knows the user by. nil: there is no such transfer.
    package func subject(ofTransfer identifier: String, to team: String, at now: Timestamp) -> String? {
        state.withLock { $0.transfers.transfer(identifier, to: team, at: now)?.newSubject }
    }

    private func received(
        _ identifier: String,
        by team: DeveloperTeam,
        at now: Timestamp
    ) throws(OAuthError) -> IssuerAnswer {
        guard let transfer = state.withLock({ $0.transfers.transfer(identifier, to: team.teamID, at: now) }) else {
            throw .invalidRequest("transfer_sub is none for this team, or its 60 days are over.")
        }
        var members = JSONMembers()
        members.add("sub", transfer.newSubject)
        members.add("email", transfer.email)
        members.add("is_private_email", raw: Array("true".utf8))
        return .ok(members)
    }
}
