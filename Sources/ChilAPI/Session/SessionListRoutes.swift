import ChilCore
import ChilHTTP
import ChilLoop
import ChilStore

extension APIService {
    /// `GET auth/sessions`: the caller's live sessions, the one used last first.
    func listSessions(_ call: Call) async throws -> Response {
        let caller = try await session(call)
        let views = try await SessionsOfUser(caller.user, of: caller.tenant, at: call.now).rows(from: database)
        var body = ByteWriter(capacity: 256 + views.count * 256)
        body.append("{\"data\":[")
        for (index, view) in views.enumerated() {
            if index > 0 { body.append(",") }
            SessionJSON.append(view, isCurrent: view.id == caller.id, to: &body)
        }
        body.append("]}")
        return .json(.ok, &body)
    }

    /// `DELETE auth/sessions/{id}`: 204; 404 for what is not in the caller's list, whatever it is.
    func endSession(_ call: Call) async throws -> Response {
        let caller = try await session(call)
        let id = try call.number(1, SessionID.self)
        let end = SessionsEnd(
            .local,
            from: id,
            by: caller.user,
            of: caller.tenant,
            for: .revoked,
            audit: try ids.next(at: call.now),
            caller: call.caller,
            at: call.now
        )
        guard try await end.answer(from: database) > 0 else { throw Problem.notFound }
        sessions.sessionEnded(id, of: caller.tenant, at: loop.monotonicNow)
        return Response(.noContent)
    }
}

/// Writes a session as the contract shows one; what is not known is left out.
enum SessionJSON {
    static func append(_ session: SessionView, isCurrent: Bool, to json: inout ByteWriter) {
        json.append("{\"id\":")
        json.append(decimal: session.id.rawValue)
        if let name = session.deviceNameBytes {
            json.append(",\"deviceName\":")
            json.append(jsonUTF8: name)
        }
        json.append(",\"createdAt\":")
        json.append(json: session.createdAt)
        json.append(",\"lastUsedAt\":")
        json.append(json: session.lastUsedAt)
        if let address = session.addressBytes {
            json.append(",\"ip\":")
            json.append(jsonUTF8: address)
        }
        if let agent = session.userAgentBytes {
            json.append(",\"userAgent\":")
            json.append(jsonUTF8: agent)
        }
        json.append(",\"current\":")
        json.append(json: isCurrent)
        json.append("}")
    }
}
