import Glibc

/// Reads the file of master keys. It must be nobody else's to read.
enum KeyFile {
    private static let bytesMax = 64 << 10

    static func read(_ path: String) throws(ConfigurationFault) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ConfigurationFault("CHIL_KEY_FILE", "cannot be opened (\(path): \(String(cString: strerror(errno))))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & 0o077 == 0 else {
            throw ConfigurationFault("CHIL_KEY_FILE", "may be read by others (\(path)): chmod 600 it")
        }
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        var length = 0
        while length < bytesMax {
            let count = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress! + length, bytesMax - length)
            }
            guard count > 0 else { break }
            length += count
        }
        return Array(bytes[..<length])
    }
}
