import ChilAuth
import ChilCore
import ChilHTTP

@testable import ChilDevIssuer

/// An issuer with one team, asked as over HTTP but without it. Time is what the test says.
final class Bench {
    static let start = Timestamp(seconds: 1_796_000_000)

    let team: Team
    let issuer: DevelopmentIssuer
    var now = Bench.start

    init(_ change: (inout IssuerSettings) -> Void = { _ in }) throws {
        team = try Team("TEAM000001")
        var settings = IssuerSettings(issuer: "https://issuer.test", teams: [team.known])
        change(&settings)
        issuer = try DevelopmentIssuer(settings)
    }

    /// What came back.
    struct Answer {
        let status: Status
        let object: JSONObject?

        var error: String? { object?["error"]?.string }
        var reason: String? { object?["error_description"]?.string }
        subscript(_ name: String) -> JSONValue? { object?[name] }
    }

    /// A form; `client_secret` is made if it is not given.
    func post(_ endpoint: IssuerEndpoint, _ fields: [String: String], bearer: String? = nil) throws -> Answer {
        var fields = fields
        if fields["client_secret"] == nil, let clientID = fields["client_id"] {
            fields["client_secret"] = try team.secret(clientID, at: now)
        }
        let body = fields.map { "\($0)=\(PercentCoding.encode($1))" }.joined(separator: "&")
        let response = issuer.response(
            to: endpoint,
            MediaType(Array("application/x-www-form-urlencoded".utf8)[...]),
            Array(body.utf8),
            bearer: bearer,
            at: now
        )
        guard case .bytes(let bytes) = response.body else { return Answer(status: response.status, object: nil) }
        return Answer(status: response.status, object: (try? StrictJSON.parse(bytes))?.object)
    }

    /// The claims of a token, whose signature must be the issuer's.
    func claims(_ token: [UInt8]) throws -> JSONObject {
        let parsed = try CompactJWS(parsing: token)
        let keys = try JWKSet(parsing: issuer.keySet).keys
        guard let keyID = parsed.header.keyID, let key = keys[keyID], parsed.isSigned(by: key),
            let claims = try StrictJSON.parse(parsed.payload).object
        else { throw NotSigned() }
        return claims
    }

    struct NotSigned: Error {}
}
