import ChilAuth
import ChilCrypto
import ChilDevIssuer
import Foundation
import Testing

/// An identity provider with a REST side, for one tenant that has credentials there.
struct StandInProvider: Sendable {
    let server: IssuerServer
    let credentials: ProviderCredentials
    private let tenant: Tenant
    private let administration: Administration
    private let keyFile: String

    /// Makes the tenant, without any client.
    init(of tenant: Tenant, in bed: TestBed) throws {
        let key = try ES256PrivateKey()
        let credentials = ProviderCredentials(teamID: "TEAM123456", keyID: "KEY1234567", key: key)
        server = try IssuerServer { origin in
            let team = DeveloperTeam(teamID: "TEAM123456", keyID: "KEY1234567", publicKey: key.publicKey)
            return try DevelopmentIssuer(IssuerSettings(issuer: origin, teams: [team]))
        }
        self.credentials = credentials
        self.tenant = tenant
        administration = bed.administration
        keyFile = bed.folder.appendingPathComponent("\(tenant.slug).p8").path
        let isMade = FileManager.default.createFile(
            atPath: keyFile,
            contents: Data(try key.pem().copy()),
            attributes: [.posixPermissions: 0o600]
        )
        try #require(isMade)
        try administration.create(tenant.slug)
    }

    /// Accepts its identity tokens for a client.
    func add(_ clientID: String) throws {
        try administration.run(
            "client add \(tenant.slug) --client-id \(clientID) --issuer \(server.origin) --development"
                + " --jwks-url \(server.origin)/auth/keys --allow-private \(server.authority)"
        )
    }

    /// Sets what is said of a client; with the credentials, if it has them.
    func set(_ clientID: String, _ flags: String, hasCredentials: Bool = true) throws {
        try administration.run(
            "client set \(tenant.slug) --client-id \(clientID) --token-url \(server.origin)/auth/token \(flags)"
                + (hasCredentials ? " --team TEAM123456 --key-id KEY1234567 --p8-file \(keyFile)" : "")
        )
    }
}
