import ChilCrypto
import Glibc

/// A small file that holds a secret.
struct SecretFile {
    let path: String

    private static let bytesMax = 64 << 10

    /// The file's bytes; `nil` if there is no such file.
    func read() throws(AdminFault) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw fault(.notPermitted, "cannot be read", errno)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.bytesMax)
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled)
            }
            if count == 0 { break }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw fault(.notPermitted, "cannot be read", errno)
            }
            filled += count
        }
        return Array(bytes[..<filled])
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
