import ChilAuth
import ChilCore

/// What tokens are made of.
struct Grant {
    let user: UserID
    let session: SessionID
    let generation: Int32
    let salt: [UInt8]
    /// When the session ends if it is not refreshed.
    let ends: Timestamp
}

/// The tokens of a session as they are handed out.
struct IssuedTokens {
    let access: [UInt8]
    /// Seconds.
    let expiresIn: Int64
    let refresh: String
    /// Seconds.
    let refreshExpiresIn: Int64

    /// Room for most answers with tokens. Over 1,032 bytes malloc(3) leaves its quick lists.
    static let answerBytes = 960

    /// The members that every answer with tokens has, of an object that is open.
    func appendMembers(to body: inout ByteWriter) {
        body.append("\"accessToken\":\"")
        body.append(bytes: access)
        body.append("\",\"tokenType\":\"Bearer\",\"expiresIn\":")
        body.append(decimal: expiresIn)
        body.append(",\"refreshToken\":\"")
        body.append(unescaped: refresh)
        body.append("\",\"refreshExpiresIn\":")
        body.append(decimal: refreshExpiresIn)
    }
}
