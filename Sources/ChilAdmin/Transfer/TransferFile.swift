import Glibc

/// A file of transfer lines for its owner alone (mode 0600, also one that was another's to read), added to at its end.
final class TransferFile {
    static let bytesMax = 256 << 20

    private let descriptor: Int32
    private let path: String

    /// Opens the file, or makes it, and reads what is in it. A last line without its end, as after a crash, is cut off.
    ///
    /// - Returns: the file, and the lines that it has.
    static func open(_ path: String) throws(AdminFault) -> (file: TransferFile, bytes: [UInt8]) {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw fault("cannot be made", path, errno) }
        let file = TransferFile(descriptor, path)
        guard fchmod(descriptor, 0o600) == 0 else { throw fault("cannot be made", path, errno) }
        var bytes = try file.read()
        let whole = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        bytes.removeLast(bytes.count - whole)
        guard ftruncate(descriptor, off_t(whole)) == 0, lseek(descriptor, 0, SEEK_END) >= 0 else {
            throw fault("cannot be written", path, errno)
        }
        return (file, bytes)
    }

    /// The bytes of a file that is only read.
    static func bytes(_ path: String) throws(AdminFault) -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw fault("cannot be read", path, errno) }
        return try TransferFile(descriptor, path).read()
    }

    private init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    func append(_ bytes: [UInt8]) throws(AdminFault) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                write(descriptor, raw.baseAddress.map { $0 + written }, raw.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw Self.fault("cannot be written", path, errno)
            }
        }
    }

    private func read() throws(AdminFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw Self.fault("cannot be read", path, errno)
            }
            bytes += piece[..<count]
            guard bytes.count <= Self.bytesMax else {
                throw AdminFault(
                    .dataRefused,
                    "'\(path)' has more than \(Self.bytesMax >> 20) MiB",
                    remedy: "Cut it into several files, each with the first line."
                )
            }
        }
    }

    private static func fault(_ what: String, _ path: String, _ number: Int32) -> AdminFault {
        AdminFault(
            .outputNotMade,
            "'\(path)' \(what): \(String(cString: strerror(number)))",
            remedy: "Name another place, or let this user read and write there."
        )
    }
}
