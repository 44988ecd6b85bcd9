import ChilCore
package import ChilCrypto

/// The private key that a provider gives out as a file (Apple: `AuthKey_<key id>.p8`): PEM of one `PRIVATE KEY` (RFC 7468 §10).
///
/// Also taken: what is left of such a file after an environment variable, a JSON string or a form field. Line ends written
/// as `\n` or `\r\n`, made blanks or lost, quotation marks around it, a byte order mark.
package enum ProviderKeyFile {
    package enum Fault: Error, Equatable, Sendable, CustomStringConvertible {
        case tooLong
        case notPEM
        /// Another PEM block, by its label.
        case wrongLabel(String)
        case damaged
        /// What OpenSSL or the curve says.
        case badKey(String)

        package var description: String {
            switch self {
            case .tooLong: "the file has more than \(bytesMax) bytes: give the .p8 file as the provider made it"
            case .notPEM:
                "the file has no line -----BEGIN PRIVATE KEY----- with its end: give the .p8 file as the provider made it"
            case .wrongLabel(let label):
                "the file holds a \(label), not a PRIVATE KEY: give the .p8 file as the provider made it"
            case .damaged: "the key's base64 is damaged: download the .p8 file again, or make a new key"
            case .badKey(let reason): reason
            }
        }
    }

    /// Apple's have 257 bytes.
    package static let bytesMax = 8_192
    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)
    private static let label = "PRIVATE KEY"

    /// The key in a file's text.
    package static func key(parsing text: [UInt8]) throws(Fault) -> ES256PrivateKey {
        guard text.count <= bytesMax else { throw .tooLong }
        var letters = try letters(of: text)
        defer { ConstantTime.cleanse(&letters) }
        guard var der = Base64.decode(letters) else { throw .damaged }
        defer { ConstantTime.cleanse(&der) }
        do throws(CryptoError) {
            return try ES256PrivateKey(pkcs8: SecretBytes(copying: der))
        } catch {
            throw .badKey(error.detail)
        }
    }

    /// The base64 between the two lines, without what breaks it into lines.
    private static func letters(of text: [UInt8]) throws(Fault) -> [UInt8] {
        guard let opening = position(of: begin, in: text, from: 0),
            let opened = position(of: dashes, in: text, from: opening + begin.count)
        else { throw .notPEM }
        let found = String(decoding: text[(opening + begin.count)..<opened], as: UTF8.self)
        guard found.isExactly(label) else {
            // What is no label is not repeated: it could be the key.
            let isLabel = found.utf8.count <= 32 && found.utf8.allSatisfy { $0 == 0x20 || $0 &- 0x41 < 26 }
            throw isLabel ? .wrongLabel(found) : .notPEM
        }
        let start = opened + dashes.count
        guard let closing = position(of: end + Array(label.utf8) + dashes, in: text, from: start) else { throw .notPEM }
        guard position(of: begin, in: text, from: start) == nil else { throw .notPEM }
        var letters: [UInt8] = []
        letters.reserveCapacity(closing - start)
        var at = start
        while at < closing {
            switch text[at] {
            case 0x0A, 0x0D, 0x20, 0x09: at += 1
            case UInt8(ascii: "\\") where text[at + 1] == UInt8(ascii: "n") || text[at + 1] == UInt8(ascii: "r"):
                at += 2
            default:
                letters.append(text[at])
                at += 1
            }
        }
        return letters
    }

    private static func position(of needle: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        guard start + needle.count <= text.count else { return nil }
        return (start...(text.count - needle.count)).first { text[$0..<($0 + needle.count)].elementsEqual(needle) }
    }
}
