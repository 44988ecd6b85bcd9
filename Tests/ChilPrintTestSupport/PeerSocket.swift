import Foundation

/// Blocking sockets for peers that live with the tests.
package enum PeerSocket {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) {
            self.description = description
        }
    }

    /// Listens on a port of this machine, which is the kernel's choice if none is named.
    package static func listen(on port: UInt16 = 0) throws -> (descriptor: Int32, port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        var address = Self.address(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 64) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isListening else {
            let why = String(cString: strerror(errno))
            close(descriptor)
            throw Failure(description: "no port: \(why)")
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    package static func connect(to port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Self.address(port)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// False: the peer is gone.
    @discardableResult
    package static func send(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// A head and its body, by Content-Length or in chunks; what had come when the peer ended.
    package static func message(from descriptor: Int32) -> HTTPPiece {
        var piece = HTTPPiece()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !piece.isWhole {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            piece.bytes += buffer[..<count]
        }
        return piece
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}

/// Bytes of an HTTP message, as far as they have come.
package struct HTTPPiece: Sendable {
    package var bytes: [UInt8] = []

    package var headCount: Int? {
        let end = Array("\r\n\r\n".utf8)
        guard bytes.count >= 4 else { return nil }
        return (0...bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == end }.map { $0 + 4 }
    }

    package var head: String { String(decoding: bytes[..<(headCount ?? bytes.count)], as: UTF8.self) }
    package var body: ArraySlice<UInt8> { headCount.map { bytes[$0...] } ?? [] }

    package var isWhole: Bool {
        guard headCount != nil else { return false }
        let fields = head.lowercased()
        if isChunked { return body.suffix(5) == Array("0\r\n\r\n".utf8)[...] }
        guard let match = fields.firstMatch(of: /content-length: *(\d+)/), let count = Int(match.1) else {
            return false
        }
        return body.count >= count
    }

    package var isChunked: Bool { head.lowercased().contains("transfer-encoding: chunked") }

    /// The body without the frames of its chunks, as far as they have come.
    package var payload: [UInt8] {
        guard isChunked else { return Array(body) }
        var (rest, payload) = (body, [UInt8]())
        while let end = rest.firstRange(of: [0x0D, 0x0A]),
            let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16), size > 0
        {
            let chunk = rest[end.upperBound...].prefix(size)
            payload += chunk
            rest = rest[chunk.endIndex...].dropFirst(2)
        }
        return payload
    }

    /// The operation of an IPP request.
    package var operation: UInt16? {
        let body = payload
        guard body.count >= 8 else { return nil }
        return UInt16(body[2]) << 8 | UInt16(body[3])
    }
}
