import ChilCore
import ChilDatabase
import ChilDevIssuer
import ChilTestSupport
import Foundation
import Testing

/// A tenant whose identity provider has a REST side, with an app of its own and a Services ID.
final class CodeTenant: Sendable {
    let tenant: Tenant
    let server: IssuerServer
    private let bed: TestBed

    var native: String { tenant.clientID }
    var web: String { "web.\(tenant.slug)" }
    static let redirectURI = "https://api.example.test/callback"
    static let returnURL = "com.example.app://signed-in"

    /// - Parameter hasCredentials: false: codes cannot be exchanged.
    init(in bed: TestBed, hasCredentials: Bool = true) throws {
        let tenant = Tenant(slug: "code-\(UInt32.random(in: 0...UInt32.max))")
        let provider = try StandInProvider(of: tenant, in: bed)
        self.tenant = tenant
        server = provider.server
        self.bed = bed
        for client in [native, web] { try provider.add(client) }
        try provider.set(
            web,
            "--use web --redirect-uri \(Self.redirectURI) --return-url \(Self.returnURL)"
                + " --authorize-url \(server.origin)/auth/authorize --revoke-url \(server.origin)/auth/revoke",
            hasCredentials: hasCredentials
        )
    }

    deinit {
        server.stop()
    }

    /// What the device gets when the person agrees.
    func authorize(
        _ subject: String = Planted.subject(),
        nonce: String? = nil,
        _ change: (inout AuthorizationDraft) -> Void = { _ in }
    ) throws -> Authorization {
        var draft = AuthorizationDraft(clientID: native, subject: subject)
        draft.nonce = nonce
        draft.email = "\(subject)@mail.test"
        change(&draft)
        return try server.issuer.authorize(draft, at: Timestamp(seconds: Int64(Date().timeIntervalSince1970)))
    }

    /// `POST auth/apple` of a person with a code.
    func signIn(_ subject: String, _ service: Service, code: String? = nil) throws -> Request {
        let nonce = try App.nonce(service, tenant)
        let agreed = try authorize(subject, nonce: IdentityToken.hash(nonce))
        let token = String(decoding: agreed.identityToken, as: UTF8.self)
        return Request(
            "POST",
            "/\(tenant.slug)/auth/apple",
            json:
                "{\"identityToken\":\"\(token)\",\"nonce\":\"\(nonce)\",\"authorizationCode\":\"\(code ?? agreed.code)\"}"
        )
    }

    func token(json: String) -> Request {
        Request("POST", "/\(tenant.slug)/auth/oauth2/token", json: json)
    }

    func token(form: String) -> Request {
        Self.form("/\(tenant.slug)/auth/oauth2/token", form)
    }

    static func form(_ path: String, _ form: String) -> Request {
        Request("POST", path, type: "application/x-www-form-urlencoded", body: Array(form.utf8))
    }

    func refresh(_ token: String) -> Request { App.refresh(tenant, token) }

    func me(_ accessToken: String) -> Request { Request("GET", "/\(tenant.slug)/me", bearer: accessToken) }

    /// How many exchanges the provider granted, by what came with the code.
    var exchanges: [IssuerCall] { server.issuer.calls(of: .token) }

    /// `state fault` of the provider's token of a person.
    func tokenState(_ subject: String) async throws -> String {
        let id = try await bed.tenantID(tenant)
        return try await bed.withOperator { database in
            try await database.run(TokenState(tenant: id, subject: subject), .read, of: id).first ?? "nobody"
        }
    }

    /// Waits until the token is in that state.
    func expectTokenState(
        _ state: String,
        of subject: String,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        var last = ""
        let isSo = try await awaitUntil(.seconds(10)) {
            last = try await tokenState(subject)
            return last == state
        }
        #expect(isSo, "\(last), not \(state)", sourceLocation: location)
    }

    func credentialFault() async throws -> String? {
        let id = try await bed.tenantID(tenant)
        return try await bed.withOperator { database in
            try await database.run(CredentialFault(tenant: id), .read, of: id).compactMap { $0 }.first
        }
    }
}

private struct TokenState: Statement {
    static let sql = SQL(
        "select concat_ws(' ', token_state, token_fault) from identity where tenant_id = $1 and subject = $2"
    )

    let tenant: TenantID
    let subject: String

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(subject)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String { row.text(0) }
}

private struct CredentialFault: Statement {
    static let sql = SQL("select credential_fault from provider where tenant_id = $1")

    let tenant: TenantID

    func bind(_ values: inout BoundValues) { values.append(tenant) }

    static func row(_ row: ResultRow) throws(DatabaseError) -> String? { row.textOrNil(0) }
}
