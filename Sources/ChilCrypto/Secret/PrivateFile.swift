import Glibc

/// Reads a small file that holds a secret.
package enum PrivateFile {
    package enum Fault: Error, Equatable, Sendable {
        /// With open(2)'s or fstat(2)'s number.
        case notOpened(Int32)
        /// Its mode lets others than its owner at it.
        case isShared
        /// With read(2)'s number.
        case notRead(Int32)
        case tooLarge

        package var isMissing: Bool { self == .notOpened(ENOENT) }
    }

    package static let bytesMax = 64 << 10

    /// - Parameter isOwnersAlone: whether a file that its group or others may read, write or run is refused.
    package static func read(_ path: String, isOwnersAlone: Bool) throws(Fault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .notOpened(errno) }
        defer { close(descriptor) }
        if isOwnersAlone {
            // Of what was opened: the name may be another file's by now.
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw .notOpened(errno) }
            guard status.st_mode & 0o077 == 0 else { throw .isShared }
        }
        var bytes = [UInt8](repeating: 0, count: bytesMax + 1)
        defer { ConstantTime.cleanse(&bytes) }
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + filled }, $0.count - filled)
            }
            if count == 0 { return Array(bytes[..<filled]) }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .notRead(errno)
            }
            filled += count
        }
        throw .tooLarge
    }
}
