import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilDevIssuer
import ChilStore
import Foundation
import Testing

/// A tenant whose identity provider has a REST side: who signs in has a token there, and the tenant may revoke it.
final class ProviderTenant: Sendable {
    let tenant: Tenant
    let server: IssuerServer
    private let bed: TestBed
    private let credentials: ProviderCredentials

    init(_ name: String, in bed: TestBed) throws {
        let tenant = Tenant(slug: name)
        let provider = try StandInProvider(of: tenant, in: bed)
        try provider.add(tenant.clientID)
        try provider.set(tenant.clientID, "--revoke-url \(provider.server.origin)/auth/revoke")
        self.tenant = tenant
        self.bed = bed
        server = provider.server
        credentials = provider.credentials
    }

    func signIn(_ subject: String, _ service: Service) throws -> App {
        try App(service, tenant, try signInAnswer(subject, service))
    }

    func signInAnswer(_ subject: String, _ service: Service, names: String = "") throws -> Answer {
        let nonce = try App.nonce(service, tenant)
        var draft = AuthorizationDraft(clientID: tenant.clientID, subject: subject)
        draft.nonce = IdentityToken.hash(nonce)
        draft.email = "\(subject)@mail.test"
        let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        let token = String(decoding: try server.issuer.authorize(draft, at: now).identityToken, as: UTF8.self)
        let body = "{\"identityToken\":\"\(token)\",\"nonce\":\"\(nonce)\"\(names)}"
        let answer = try service.send(
            Request("POST", "/\(tenant.slug)/auth/apple", json: body).adding("User-Agent", subject)
        )
        try #require(answer.status == 200, "\(answer.text)")
        return answer
    }

    /// Exchanges a code for a token of the provider's, and keeps it with the person's identity as the service would. The token.
    @discardableResult
    func holdToken(of subject: String) async throws -> String {
        let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
        let draft = AuthorizationDraft(clientID: tenant.clientID, subject: subject)
        let code = try server.issuer.authorize(draft, at: now).code
        let secret = try ClientSecret.token(credentials, clientID: tenant.clientID, audience: server.origin, at: now)
        let form =
            "grant_type=authorization_code&code=\(code)&client_id=\(tenant.clientID)"
            + "&client_secret=\(String(decoding: secret, as: UTF8.self))"
        let port = try #require(UInt16(server.authority.split(separator: ":")[1]))
        let request = Request("POST", "/auth/token", type: "application/x-www-form-urlencoded", body: Array(form.utf8))
        // The stand-in answers whoever calls it by a name of this machine.
        let text = String(decoding: request.bytes, as: UTF8.self)
            .replacingOccurrences(of: "Host: elsewhere.example", with: "Host: 127.0.0.1")
        let connection = try Connection(to: port)
        connection.write(Array(text.utf8))
        let answer = try connection.receive()
        try #require(answer.status == 200, "\(answer.text)")
        let token = try answer.string("refresh_token")
        let ring = try KeyRing(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: bed.keyFile))))
        let sealed = try Sealer(ring).seal(
            SecretBytes(copying: Array(token.utf8)),
            tenant: try await bed.tenantID(tenant),
            column: TokenRevocation.sealedColumn
        )
        try bed.query(
            """
            update identity set sealed_token = '\\x\(Hex.text(of: sealed))', token_client_id = '\(tenant.clientID)', token_state = 'held'
             where subject = '\(subject)'
            """
        )
        return token
    }

    func heldTokens(of subject: String) -> Int {
        server.issuer.heldTokenCount(subject: subject, clientID: tenant.clientID)
    }
}
