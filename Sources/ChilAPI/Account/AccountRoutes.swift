import ChilCore
import ChilHTTP
import ChilStore

extension APIService {
    /// `GET me`
    func me(_ call: Call) async throws -> Response {
        let session = try await session(call)
        guard let user = try await UserOne(session.user, of: session.tenant).first(from: database) else {
            throw Problem.unauthorized
        }
        var body = ByteWriter(capacity: 256)
        UserJSON.append(user, to: &body)
        return .json(.ok, body)
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
