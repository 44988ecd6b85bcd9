import Glibc

/// A file for its owner alone (mode 0600), written beside its place and put there when it is whole: what was there stays until then.
final class StandardFile: LineFile {
    private let descriptor: Int32
    private let path: String
    private let draft: String
    private var isPlaced = false

    init(path: String) throws(AdminFault) {
        // A link leads to somebody else's file, and a pipe or a device has no owner alone.
        var there = stat()
        guard lstat(path, &there) != 0 || there.st_mode & S_IFMT == S_IFREG else {
            throw AdminFault(
                .outputNotMade,
                "'\(path)' is there, and is no ordinary file",
                remedy: "Choose another place with --out."
            )
        }
        let draft = "\(path).\(UInt64.random(in: 0...(.max)))"
        let opened = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
        guard opened >= 0 else { throw Self.fault("cannot be made", path, errno) }
        descriptor = opened
        self.path = path
        self.draft = draft
    }

    deinit {
        close(descriptor)
        if !isPlaced { unlink(draft) }
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

    func place() throws(AdminFault) {
        // EINVAL: this file system has nothing to bring to a disk.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw Self.fault("cannot be written", path, errno) }
        guard rename(draft, path) == 0 else { throw Self.fault("cannot be made", path, errno) }
        isPlaced = true
    }

    private static func fault(_ what: String, _ path: String, _ number: Int32) -> AdminFault {
        AdminFault(
            .outputNotMade,
            "'\(path)' \(what): \(String(cString: strerror(number)))",
            remedy: "Choose another place with --out, or make room."
        )
    }
}
