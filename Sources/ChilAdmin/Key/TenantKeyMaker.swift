import ChilAuth
import ChilCore
import ChilCrypto
import ChilStore

/// Makes a tenant's signing key and seals it, so that the database never has it in the clear.
struct TenantKeyMaker {
    private let sealer: Sealer

    /// - Parameter path: the key file that `chilapi` has too (CHIL_KEY_FILE).
    init(keyFile path: String) throws(AdminFault) {
        sealer = try Sealer(keyFile: path)
    }

    /// A fresh key, to be used at once. Its id is its thumbprint (RFC 7638).
    func key(for tenant: TenantID) throws(AdminFault) -> TenantKeyRecord {
        do throws(CryptoError) {
            let key = try ES256PrivateKey()
            return TenantKeyRecord(
                keyID: JWK.thumbprint(of: .es256(key.publicKey)),
                state: .active,
                publicX: key.publicKey.x,
                publicY: key.publicKey.y,
                sealedPrivate: try sealer.seal(try key.pkcs8(), tenant: tenant, column: TenantKeyRecord.sealedColumn)
            )
        } catch {
            throw AdminFault(.internalFault, "no key was made: \(error)", remedy: "Check OpenSSL's installation.")
        }
    }
}
