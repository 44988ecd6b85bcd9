import Glibc

/// A file for its owner alone (mode 0600), written from the beginning; an older one is replaced.
final class StandardFile: LineFile {
    private let descriptor: Int32
    private let path: String

    init(path: String) throws(AdminFault) {
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
        let opened = open(path, flags, mode_t(0o600))
        guard opened >= 0 else { throw Self.fault("cannot be made", path, errno) }
        descriptor = opened
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

    private static func fault(_ what: String, _ path: String, _ number: Int32) -> AdminFault {
        AdminFault(
            .outputNotMade,
            "'\(path)' \(what): \(String(cString: strerror(number)))",
            remedy: "Choose another place with --out, or make room."
        )
    }
}
