import ChilAuth
import ChilCore
import ChilCrypto
import ChilStore

/// Makes a tenant's signing key and seals it, so that the database never has it in the clear.
struct TenantKeyMaker {
    private let sealer: Sealer

    /// - Parameter path: the key file that `chilapi` has too (CHIL_KEY_FILE).
    init(keyFile path: String) throws(AdminFault) {
        guard let text = try SecretFile(path: path).read() else {
            throw AdminFault(
                .configuration,
                "there is no key file '\(path)'",
                remedy: "Make it: umask 077; echo 1:$(openssl rand -hex 32) > FILE; chilapi needs the same one."
            )
        }
        do throws(KeyRing.Fault) {
            sealer = Sealer(try KeyRing(parsing: text))
        } catch {
            throw AdminFault(
                .configuration,
                "the key file '\(path)' cannot be used: \(error)",
                remedy: "Correct it as said."
            )
        }
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
