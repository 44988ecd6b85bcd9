import ChilCore
import Foundation
import Testing

/// What an app does about its session.
extension App {
    /// The same session at another service of the same database.
    init(moving app: App, to service: Service) {
        self.service = service
        tenant = app.tenant
        userID = app.userID
        accessToken = app.accessToken
        refreshToken = app.refreshToken
    }

    /// With the tokens of a refresh.
    func refreshed() throws -> App {
        let answer = try service.send(App.refresh(tenant, refreshToken))
        try #require(answer.status == 200, "\(answer.text)")
        var next = self
        next.accessToken = try answer.string("accessToken")
        next.refreshToken = try answer.string("refreshToken")
        return next
    }

    /// The session's number, as the access token has it.
    var sessionID: Int64 {
        get throws { try #require(try claims["sid"]?.int64) }
    }

    /// The key that signed the access token.
    var keyID: String {
        get throws { try #require(try part(0)["kid"]?.string) }
    }

    var claims: JSONObject {
        get throws { try part(1) }
    }

    /// The status of a call that wants somebody.
    func status() throws -> Int {
        try send("GET", "me").status
    }

    private func part(_ index: Int) throws -> JSONObject {
        let bytes = try #require(Base64URL.decode(String(accessToken.split(separator: ".")[index])))
        return try #require(try StrictJSON.parse(bytes).object)
    }
}
