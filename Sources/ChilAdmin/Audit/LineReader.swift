import Glibc

/// A file's lines, one after another, of which one at a time is kept.
final class LineReader {
    private let descriptor: Int32
    private let path: String
    private let lineBytesMax: Int
    private var buffer: [UInt8] = []
    private var at = 0
    private var isEnd = false

    init(_ path: String, lineBytesMax: Int) throws(AdminFault) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        self.lineBytesMax = lineBytesMax
        guard descriptor >= 0 else { throw fault(errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The next line without its end; `nil`: that was all.
    func next() throws(AdminFault) -> [UInt8]? {
        while true {
            if let end = buffer[at...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { at = end + 1 }
                return Array(buffer[at..<end])
            }
            if isEnd {
                defer { at = buffer.count }
                return at < buffer.count ? Array(buffer[at...]) : nil
            }
            buffer.removeFirst(at)
            at = 0
            guard buffer.count <= lineBytesMax else {
                throw AdminFault(
                    .dataRefused,
                    "'\(path)' has a line of more than \(lineBytesMax) bytes",
                    remedy: "Name a file that chiladmin wrote."
                )
            }
            try fill()
        }
    }

    private func fill() throws(AdminFault) {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = piece.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count < 0 {
            if errno == EINTR { return }
            throw fault(errno)
        }
        isEnd = count == 0
        buffer += piece[..<count]
    }

    private func fault(_ number: Int32) -> AdminFault {
        AdminFault(
            .dataRefused,
            "'\(path)' cannot be read: \(String(cString: strerror(number)))",
            remedy: "Name a file that chiladmin wrote, and let this user read it."
        )
    }
}
