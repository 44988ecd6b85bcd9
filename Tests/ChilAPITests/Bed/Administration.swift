import Foundation

/// The operator: the built `chiladmin`.
struct Administration: Sendable {
    let database: TestDatabase
    var keyFile: String
    let folder: URL
    /// Of the environment, besides.
    var settings: [String: String] = [:]

    /// - Parameter role: `nil`: the administrator of the database.
    @discardableResult
    func run(_ line: String, as role: String? = "chil_operator") throws -> String {
        for _ in 0..<5 {
            let program = try Program(
                Program.built("chiladmin"),
                line.split(separator: " ").map(String.init),
                environment: [
                    "CHIL_DATABASE_URL": database.url(role), "CHIL_KEY_FILE": keyFile, "CHIL_OPERATOR": "ann",
                    "CHIL_PUBLIC_URL": Service.publicURL,
                    "NO_COLOR": "1",
                ].merging(settings) { $1 },
                output: folder.appendingPathComponent("chiladmin-\(UUID()).log")
            )
            let status = try program.wait(atMost: .seconds(30))
            if status == 0 { return program.text }
            guard status == Self.tryAgain else {
                throw Program.Failure(description: "chiladmin \(line): \(status): \(program.text)")
            }
        }
        throw Program.Failure(description: "chiladmin \(line): others always came first")
    }

    /// EX_TEMPFAIL (sysexits.h): two operators changed the same at once.
    private static let tryAgain: Int32 = 75

    /// Makes the tenant. All tests come from one address, and more often than any app.
    func create(_ slug: String) throws {
        try run("tenant create \(slug)")
        try run("limit set \(slug) all all 1000000 --per 1")
    }

    /// Makes the tenant, and accepts the issuer's tokens for it.
    func add(_ tenant: Tenant, _ issuer: TestIssuer) throws {
        try create(tenant.slug)
        try run(
            "client add \(tenant.slug) --client-id \(tenant.clientID) --issuer \(issuer.url) --development"
                + " --jwks-url \(issuer.url)/\(tenant.slug) --allow-private \(issuer.authority)"
        )
    }
}
