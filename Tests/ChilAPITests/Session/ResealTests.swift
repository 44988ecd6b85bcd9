import ChilAuth
import ChilCore
import ChilCrypto
import ChilDevIssuer
import ChilStore
import ChilTestSupport
import Foundation
import Testing

/// After a reseal the old master key is needed for nothing: the provider's key and people's tokens open with the new one.
@Suite(.testBed([]), .ownThread)
struct ResealTests {
    @Test("K-06 a reseal takes the provider's key and people's tokens along")
    func everyColumnIsResealed() async throws {
        let bed = try TestBed.required
        let place = try ProviderTenant("resealed", in: bed)
        defer { place.server.stop() }
        let subject = Planted.subject()
        let service = try bed.start()
        let app = try place.signIn(subject, service)
        #expect(try service.stop() == 0)
        let token = try await place.holdToken(of: subject)
        let tenant = try await bed.tenantID(place.tenant)
        let columns = [
            ("tenant_key", TenantKeyRecord.sealedColumn), ("provider", ProviderREST.sealedColumn),
            ("identity", TokenRevocation.sealedColumn),
        ]
        func sealed(_ table: String, _ column: String) throws -> [UInt8] {
            let name = try #require(column.split(separator: ".").last)
            let rows = try bed.query("select encode(\(name), 'hex') from \(table) where tenant_id = \(tenant.rawValue)")
            try #require(rows.count == 1, "\(column)")
            return try #require(Hex.decode(rows[0]))
        }
        for (table, column) in columns { #expect(try sealed(table, column)[0] == 1) }
        let old = try bed.makeKeyFile([(1, "5a"), (9, "c3")]), new = try bed.makeKeyFile([(9, "c3")])
        var administration = bed.administration
        administration.keyFile = old
        let said = try administration.run("key reseal --tenant resealed")
        #expect(said.contains("resealed         3           0"), "\(said)")
        let sealer = Sealer(try KeyRing(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: new)))))
        for (table, column) in columns {
            let bytes = try sealed(table, column)
            let opened = try sealer.open(bytes, tenant: tenant, column: column)
            #expect(bytes[0] == 9 && opened != nil, "\(column)")
            if table == "identity" { #expect(opened?.copy() == Array(token.utf8)) }
        }
        // A service without the old key signs for the tenant, and revokes the token at the provider with the provider's key.
        let late = try bed.start(["CHIL_KEY_FILE": new])
        defer { late.program.signal(SIGKILL) }
        let again = try place.signIn(subject, late)
        #expect(again.userID == app.userID)
        try #require(place.heldTokens(of: subject) == 1)
        let receipt = try again.send("DELETE", "me").string("receipt")
        let isRevoked = try waitUntil(.seconds(10)) {
            try late.send(Request("GET", "/resealed/account-deletions/\(receipt)")).string("providerToken") == "revoked"
        }
        #expect(isRevoked && place.heldTokens(of: subject) == 0)
        #expect(try late.stop() == 0)
    }
}
