import ChilCore
import ChilHTTP
import ChilStore

extension APIService {
    /// `GET me`
    func me(_ call: Call) async throws -> Response {
        let session = try await session(call)
        guard let account = try await UserOne(session.user, of: session.tenant).first(from: database) else {
            throw Problem.unauthorized
        }
        guard call.head.ifNoneMatchNames(account.tag) else { return Self.response(account) }
        var response = Response(.notModified)
        response.add("ETag", account.tag.fieldValue)
        return response
    }

    /// `PATCH me`: a merge patch (RFC 7396) of the name, of exactly what the caller has seen (RFC 6585 §3).
    func changeMe(_ call: Call) async throws -> Response {
        let session = try await session(call)
        var fields = FieldReader(try await call.jsonObject(or: "application/merge-patch+json"))
        let givenName = fields.change("givenName", Self.nameRule)
        let familyName = fields.change("familyName", Self.nameRule)
        try fields.finish()
        guard call.head.has(.ifMatch) else { throw Problem.preconditionRequired }
        guard let seen = try await UserOne(session.user, of: session.tenant).first(from: database) else {
            throw Problem.unauthorized
        }
        guard call.head.ifMatchAllows(seen.tag) else { throw Problem.preconditionFailed }
        guard givenName.changes(seen.user.givenName) || familyName.changes(seen.user.familyName) else {
            return Self.response(seen)
        }
        let rename = AccountRename(
            session.user,
            of: session.tenant,
            version: seen.version,
            givenName: givenName,
            familyName: familyName,
            note: UserNote(audit: try ids.next(at: call.now), requestID: call.id.text, at: call.now)
        )
        guard let changed = try await rename.first(from: database) else { throw Problem.preconditionFailed }
        return Self.response(changed)
    }

    private static func response(_ account: Account) -> Response {
        var body = ByteWriter(capacity: 256)
        UserJSON.append(account.user, to: &body)
        var response = Response.json(.ok, &body)
        response.add("ETag", account.tag.fieldValue)
        return response
    }

    private static let nameRule = TextRule(bytesMax: 200, allowsTurns: false)
}

extension Account {
    /// The user's number too: one cache must not take another person's answer for this one's.
    fileprivate var tag: EntityTag { EntityTag(id.rawValue, version: Int64(version)) }
}

extension AccountRename.Change {
    fileprivate func changes(_ value: String?) -> Bool {
        switch self {
        case .keep: false
        case .remove: value != nil
        // Byte for byte: a name spelt in another normal form is another spelling.
        case .set(let text): value.map { !$0.utf8.elementsEqual(text.utf8) } ?? true
        }
    }
}

/// Writes a user as the contract shows one; what is not known is left out.
enum UserJSON {
    static func append(_ user: UserView, to json: inout ByteWriter) {
        json.append("{\"id\":")
        json.append(decimal: user.id.rawValue)
        if let email = user.emailBytes {
            json.append(",\"email\":")
            json.append(jsonUTF8: email)
        }
        if let isVerified = user.emailVerified {
            json.append(",\"emailVerified\":")
            json.append(json: isVerified)
        }
        if let isPrivate = user.isPrivateEmail {
            json.append(",\"isPrivateEmail\":")
            json.append(json: isPrivate)
        }
        if let name = user.givenNameBytes {
            json.append(",\"givenName\":")
            json.append(jsonUTF8: name)
        }
        if let name = user.familyNameBytes {
            json.append(",\"familyName\":")
            json.append(jsonUTF8: name)
        }
        json.append(",\"createdAt\":")
        json.append(json: user.createdAt)
        json.append("}")
    }
}
