import ChilAuth
import Foundation
import Testing

/// An app with somebody signed in: what it keeps, and its calls.
struct App: Sendable {
    let service: Service
    let tenant: Tenant
    let userID: Int
    var accessToken: String
    var refreshToken: String

    /// Signs a person in: a nonce of the service, a token of the issuer, a session.
    init(_ service: Service, _ tenant: Tenant, _ issuer: TestIssuer, subject: String = Planted.subject()) throws {
        let nonce = try Self.nonce(service, tenant)
        let token = try IdentityToken(issuer, tenant, subject: subject, nonce: nonce).signed(issuer.es256)
        let answer = try service.send(Self.signIn(tenant, token, nonce))
        try #require(answer.status == 200, "\(answer.text)")
        try self.init(service, tenant, answer)
    }

    /// - Parameter answer: of a sign-in.
    init(_ service: Service, _ tenant: Tenant, _ answer: Answer) throws {
        self.service = service
        self.tenant = tenant
        accessToken = try answer.string("accessToken")
        refreshToken = try answer.string("refreshToken")
        let user = try #require(try answer.members["user"] as? [String: Any])
        userID = try #require(user["id"] as? Int)
    }

    static func nonce(_ service: Service, _ tenant: Tenant) throws -> String {
        let answer = try service.send(Request("POST", "/\(tenant.slug)/auth/nonce"))
        try #require(answer.status == 201, "\(answer.text)")
        return try answer.string("nonce")
    }

    static func signIn(_ tenant: Tenant, _ token: String, _ nonce: String?) -> Request {
        let nonce = nonce.map { ",\"nonce\":\"\($0)\"" } ?? ""
        return Request("POST", "/\(tenant.slug)/auth/apple", json: "{\"identityToken\":\"\(token)\"\(nonce)}")
    }

    static func refresh(_ tenant: Tenant, _ token: String) -> Request {
        Request("POST", "/\(tenant.slug)/auth/refresh", json: "{\"refreshToken\":\"\(token)\"}")
    }

    // MARK: Requests of the signed-in person

    func request(_ method: String, _ path: String) -> Request {
        Request(method, "/\(tenant.slug)/\(path)", bearer: accessToken)
    }

    func request(_ method: String, _ path: String, json: String) -> Request {
        Request(method, "/\(tenant.slug)/\(path)", bearer: accessToken, json: json)
    }

    func upload(_ image: [UInt8], type: String = "image/png") -> Request {
        Request("POST", "/\(tenant.slug)/drawings", bearer: accessToken, type: type, body: image)
    }

    func send(_ method: String, _ path: String) throws -> Answer {
        try service.send(request(method, path))
    }

    /// Uploads a picture that nobody else has; its id.
    func makeDrawing() throws -> Int {
        let answer = try service.send(upload(Picture.png()))
        try #require(answer.status == 201, "\(answer.text)")
        return try answer.int("drawingId")
    }
}
