import ChilAuth
import ChilCore
import ChilCrypto
import ChilStore

/// Makes a tenant's signing key and seals it, so that the database never has it in the clear.
struct TenantKeyMaker {
    private let sealer: Sealer
    /// What is sealed now is sealed under it.
    var version: UInt8 { sealer.version }

    /// - Parameter path: the key file that `chilapi` has too (CHIL_KEY_FILE).
    init(keyFile path: String) throws(AdminFault) {
        sealer = try Sealer(keyFile: path)
    }

    /// A fresh key, next or active from now on. Its id is its thumbprint (RFC 7638), and no dash comes first in it.
    func key(for tenant: TenantID, _ state: TenantKeyRecord.State, at now: Timestamp) throws(AdminFault)
        -> TenantKeyRecord
    {
        do throws(CryptoError) {
            var key = try ES256PrivateKey()
            // Operators give it to commands, which take what begins with a dash for a flag.
            while JWK.thumbprint(of: .es256(key.publicKey)).hasPrefix("-") { key = try ES256PrivateKey() }
            return TenantKeyRecord(
                keyID: JWK.thumbprint(of: .es256(key.publicKey)),
                state: state,
                publicX: key.publicKey.x,
                publicY: key.publicKey.y,
                sealedPrivate: try sealer.seal(try key.pkcs8(), tenant: tenant, column: TenantKeyRecord.sealedColumn),
                createdAt: now,
                activatedAt: state == .active ? now : nil
            )
        } catch {
            throw AdminFault(.internalFault, "no key was made: \(error)", remedy: "Check OpenSSL's installation.")
        }
    }

    /// What was sealed for that column of that tenant, sealed anew under the highest version; `nil`: it does not open.
    func resealed(_ value: SealedValue, of tenant: TenantID) throws(AdminFault) -> [UInt8]? {
        do throws(CryptoError) {
            guard let opened = try sealer.open(value.bytes, tenant: tenant, column: value.column) else { return nil }
            return try sealer.seal(opened, tenant: tenant, column: value.column)
        } catch {
            throw AdminFault(.internalFault, "nothing was sealed: \(error)", remedy: "Check OpenSSL's installation.")
        }
    }
}
