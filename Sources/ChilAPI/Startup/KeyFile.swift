import ChilCrypto
import Glibc

/// Reads the file of master keys. It must be nobody else's to read.
enum KeyFile {
    static func read(_ path: String) throws(ConfigurationFault) -> [UInt8] {
        do throws(PrivateFile.Fault) {
            return try PrivateFile.read(path, isOwnersAlone: true)
        } catch {
            throw ConfigurationFault("CHIL_KEY_FILE", text(of: error, path))
        }
    }

    private static func text(of fault: PrivateFile.Fault, _ path: String) -> String {
        switch fault {
        case .notOpened(let number): "cannot be opened (\(path): \(String(cString: strerror(number))))"
        case .isShared: "may be read by others (\(path)): chmod 600 it"
        case .notRead(let number): "cannot be read (\(path): \(String(cString: strerror(number))))"
        case .tooLarge: "has more than \(PrivateFile.bytesMax) bytes (\(path)): name the file of master keys"
        }
    }
}
