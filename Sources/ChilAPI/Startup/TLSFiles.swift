import ChilCrypto
import Glibc

/// Where a certificate and its key lie, and the reading of them.
struct TLSFiles: Equatable, Sendable {
    let certificates: String
    let key: String

    static let setting = "CHIL_TLS"

    /// `none`, or pairs of paths.
    static func list(_ text: String) throws(ConfigurationFault) -> [Self] {
        guard text != "none" else { return [] }
        var list: [Self] = []
        for pair in text.split(separator: ",", omittingEmptySubsequences: false) {
            let paths = pair.split(separator: ":", omittingEmptySubsequences: false)
            guard paths.count == 2, paths.allSatisfy({ !$0.isEmpty }) else {
                throw ConfigurationFault(setting, "must be none, or CERTIFICATES.pem:KEY.pem, several parted by commas")
            }
            list.append(Self(certificates: String(paths[0]), key: String(paths[1])))
        }
        guard list.count <= TLSServerContext.identitiesMax else {
            throw ConfigurationFault(setting, "names more than \(TLSServerContext.identitiesMax) certificates")
        }
        return list
    }

    /// Reads all of them.
    static func context(_ list: [Self]) throws(ConfigurationFault) -> TLSServerContext {
        var identities: [TLSIdentity] = []
        for files in list { identities.append(try files.identity()) }
        do throws(TLSFault) {
            return try TLSServerContext(identities)
        } catch {
            throw ConfigurationFault(setting, "cannot be used: \(error)")
        }
    }

    private func identity() throws(ConfigurationFault) -> TLSIdentity {
        let chain = try Self.read(certificates, isSecret: false)
        var secret = try Self.read(key, isSecret: true)
        defer { ConstantTime.cleanse(&secret) }
        do throws(TLSFault) {
            return try TLSIdentity(certificates: chain, key: secret)
        } catch {
            throw ConfigurationFault(Self.setting, "cannot be used (\(certificates), \(key)): \(error)")
        }
    }

    private static func read(_ path: String, isSecret: Bool) throws(ConfigurationFault) -> [UInt8] {
        do throws(PrivateFile.Fault) {
            return try PrivateFile.read(path, isOwnersAlone: isSecret)
        } catch {
            let what =
                switch error {
                case .notOpened(let number), .notRead(let number):
                    "cannot be read: \(String(cString: strerror(number)))"
                case .isShared: "may be read by others: chmod 600 it"
                case .tooLarge: "has more than \(PrivateFile.bytesMax) bytes"
                }
            throw ConfigurationFault(setting, "\(path) \(what)")
        }
    }
}
