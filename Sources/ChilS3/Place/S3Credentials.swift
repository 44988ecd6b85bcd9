import ChilCore
package import ChilCrypto
import Glibc

/// An access key and its secret.
package struct S3Credentials: Sendable {
    package let id: String
    package let secret: SecretBytes

    package init(id: String, secret: [UInt8]) {
        self.id = id
        self.secret = SecretBytes(copying: secret)
    }

    /// Of a file with one line `ID:SECRET`, which nobody but its owner may read; lines that begin with `#` do not count.
    static func read(_ path: String) throws(S3SettingFault) -> S3Credentials {
        var bytes: [UInt8]
        do throws(PrivateFile.Fault) {
            bytes = try PrivateFile.read(path, isOwnersAlone: true)
        } catch {
            throw S3SettingFault(S3Place.keyFileSetting, text(of: error, path))
        }
        defer { ConstantTime.cleanse(&bytes) }
        let lines = bytes.split { $0 == 0x0a || $0 == 0x0d }.filter { $0.first != UInt8(ascii: "#") }
        guard lines.count == 1, let colon = lines[0].firstIndex(of: UInt8(ascii: ":")),
            lines[0].allSatisfy({ (0x21...0x7e).contains($0) }), colon > lines[0].startIndex,
            colon < lines[0].endIndex - 1
        else {
            throw S3SettingFault(S3Place.keyFileSetting, "must have one line ACCESS_KEY_ID:SECRET_ACCESS_KEY (\(path))")
        }
        let line = lines[0]
        return S3Credentials(
            id: String(decoding: line[..<colon], as: UTF8.self),
            secret: Array(line[(colon + 1)...])
        )
    }

    private static func text(of fault: PrivateFile.Fault, _ path: String) -> String {
        switch fault {
        case .notOpened(let number): "cannot be opened (\(path): \(String(cString: strerror(number))))"
        case .isShared: "may be read by others (\(path)): chmod 600 it"
        case .notRead(let number): "cannot be read (\(path): \(String(cString: strerror(number))))"
        case .tooLarge: "has more than \(PrivateFile.bytesMax) bytes (\(path)): name the file of the access key"
        }
    }
}
