import ChilCrypto
import Glibc

/// A small file that holds a secret; `-` is standard input.
struct SecretFile {
    let path: String

    /// The file's bytes; `nil` if there is no such file.
    ///
    /// - Parameter isOwnersAlone: whether one that others may read is refused. Files that come from elsewhere (a provider's `.p8`) are
    ///   as their maker left them.
    func read(isOwnersAlone: Bool = false) throws(AdminFault) -> [UInt8]? {
        do throws(PrivateFile.Fault) {
            // A pipe is whose it is.
            if path == "-" { return try PrivateFile.read("/dev/stdin", isOwnersAlone: false) }
            return try PrivateFile.read(path, isOwnersAlone: isOwnersAlone)
        } catch {
            switch error {
            case .notOpened where error.isMissing: return nil
            case .notOpened(let number), .notRead(let number): throw fault(.notPermitted, "cannot be read", number)
            case .isShared:
                throw AdminFault(
                    .configuration,
                    "'\(path)' may be read by others",
                    remedy: "chmod 600 it: whoever reads it opens all that is sealed."
                )
            case .tooLarge:
                throw AdminFault(
                    .dataRefused,
                    "'\(path)' has more than \(PrivateFile.bytesMax) bytes",
                    remedy: "Name the file that holds the key."
                )
            }
        }
    }

    /// Writes the file whole, mode 0600. False if there is one by now.
    func place(_ secret: SecretBytes) throws(AdminFault) -> Bool {
        let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw fault(.outputNotMade, "cannot be made", errno) }
        let draft = path + ".\(UInt64.random(in: 0...(.max)))"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw fault(.outputNotMade, "cannot be made", errno) }
        defer { unlink(draft) }
        let written = secret.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        let writeFault = written == secret.count ? 0 : written < 0 ? errno : ENOSPC
        guard close(descriptor) == 0, writeFault == 0 else {
            throw fault(.outputNotMade, "cannot be written", writeFault)
        }
        if link(draft, path) == 0 { return true }
        guard errno == EEXIST else { throw fault(.outputNotMade, "cannot be made", errno) }
        return false
    }

    private func fault(_ code: ExitCode, _ what: String, _ number: Int32) -> AdminFault {
        AdminFault(
            code,
            "'\(path)' \(what): \(String(cString: strerror(number)))",
            remedy: "Name another place, or let this user read and write there."
        )
    }
}
