import ChilCrypto
import ChilDevIssuer

/// The developer account that every development issuer has: its key is a `.p8` in the issuer's folder, as Apple gives them out.
enum DevelopmentTeam {
    static let teamID = "DEVTEAM001"
    static let keyID = "DEVKEY0001"
    static let fileName = "AuthKey_\(keyID).p8"

    /// The team of a folder; its key is made if it is missing.
    static func team(in folder: String) throws(AdminFault) -> DeveloperTeam {
        let key = try KeyFile(path: "\(folder)/\(fileName)").key { pem throws(CryptoError) in
            if let pem { return (try ES256PrivateKey(pem: pem), nil) }
            let made = try ES256PrivateKey()
            return (made, try made.pem())
        }
        return DeveloperTeam(teamID: teamID, keyID: keyID, publicKey: key.publicKey)
    }

    /// A team whose key is in a file of its own.
    static func team(_ key: TeamKey) throws(AdminFault) -> DeveloperTeam {
        guard let text = try SecretFile(path: key.path).read() else {
            throw AdminFault(.notFound, "there is no '\(key.path)'", remedy: "Name the key's file in --team-key.")
        }
        do throws(CryptoError) {
            let publicKey = try TeamKeyFile.publicKey(parsing: text)
            return DeveloperTeam(teamID: key.teamID, keyID: key.keyID, publicKey: publicKey)
        } catch {
            throw AdminFault(
                .dataRefused,
                "'\(key.path)' holds no usable key: \(error)",
                remedy: "Name a .p8 file, or its public half in PEM."
            )
        }
    }
}
