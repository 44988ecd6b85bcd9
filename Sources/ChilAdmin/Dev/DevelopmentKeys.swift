import ChilAuth
import ChilCrypto

/// The development issuer's keys in a folder: `es256.pem` and `rs256.pem`, mode 0600, made where they are missing.
struct DevelopmentKeys {
    let makers: [DevelopmentTokenMaker]

    init(folder: String) throws(AdminFault) {
        makers = [try Self.maker(.es256, in: folder), try Self.maker(.rs256, in: folder)]
    }

    static func maker(_ algorithm: TokenAlgorithm, in folder: String) throws(AdminFault) -> DevelopmentTokenMaker {
        switch algorithm {
        case .es256:
            let key = try KeyFile(path: folder + "/es256.pem").key { pem throws(CryptoError) in
                if let pem { return (try ES256PrivateKey(pem: pem), nil) }
                let made = try ES256PrivateKey()
                return (made, try made.pem())
            }
            return DevelopmentTokenMaker(keyID: "dev-es256-1", key: .es256(key))
        case .rs256:
            let key = try KeyFile(path: folder + "/rs256.pem").key { pem throws(CryptoError) in
                if let pem { return (try RS256PrivateKey(pem: pem), nil) }
                let made = try RS256PrivateKey()
                return (made, try made.pem())
            }
            return DevelopmentTokenMaker(keyID: "dev-rs256-1", key: .rs256(key))
        }
    }
}

extension DevelopmentTokenMaker: TokenSigner {
    func signedToken(claims: [UInt8]) throws(AdminFault) -> [UInt8] {
        do throws(CryptoError) {
            return try token(claims: claims)
        } catch {
            throw AdminFault(.internalFault, "nothing was signed: \(error)", remedy: "Check OpenSSL's installation.")
        }
    }
}
