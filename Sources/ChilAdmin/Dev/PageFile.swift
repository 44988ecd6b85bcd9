import Glibc

/// A page to be pushed, from a file.
enum PageFile {
    private static let bytesMax = 32 << 20

    static func read(_ path: String) throws(AdminFault) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path, errno) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path, errno) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= bytesMax else { throw unreadable(path, EFBIG) }
        }
    }

    private static func unreadable(_ path: String, _ number: Int32) -> AdminFault {
        AdminFault(
            .notFound,
            "'\(path)' cannot be read: \(String(cString: strerror(number)))",
            remedy: "Name a JPEG or PDF of at most \(bytesMax) bytes."
        )
    }
}
