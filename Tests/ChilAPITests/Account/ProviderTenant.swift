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
        let key = try ES256PrivateKey()
        let credentials = ProviderCredentials(teamID: "TEAM123456", keyID: "KEY1234567", key: key)
        let server = try IssuerServer { origin in
            let team = DeveloperTeam(teamID: "TEAM123456", keyID: "KEY1234567", publicKey: key.publicKey)
            return try DevelopmentIssuer(IssuerSettings(issuer: origin, teams: [team]))
        }
        let file = bed.folder.appendingPathComponent("\(name).p8")
        try Data(try key.pem().copy()).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let admin = bed.administration
        try admin.run("tenant create \(name)")
        try admin.run(
            "client add \(name) --client-id \(tenant.clientID) --issuer \(server.origin) --development"
                + " --jwks-url \(server.origin)/auth/keys --allow-private \(server.authority)"
        )
        try admin.run(
            "client set \(name) --client-id \(tenant.clientID) --team TEAM123456 --key-id KEY1234567 --p8-file \(file.path)"
                + " --token-url \(server.origin)/auth/token --revoke-url \(server.origin)/auth/revoke"
        )
        self.tenant = tenant
        self.server = server
        self.bed = bed
        self.credentials = credentials
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
