import Foundation

/// A blocking TCP connection to a port of this machine: sends exactly the bytes it is told to.
package final class ClientSocket: Sendable {
    package struct Refused: Error, CustomStringConvertible {
        package let description: String
    }

    private let descriptor: Int32

    /// - Parameters:
    ///   - patience: of each read; lengthened where all is slower.
    ///   - windowBytes: what it takes before it is read (SO_RCVBUF, socket(7)); `nil`: as the kernel likes.
    package init(to port: UInt16, patience: Duration = .seconds(15), windowBytes: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let descriptor = descriptor
        if var windowBytes { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &windowBytes, 4) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw Refused(description: "not connected: \(String(cString: strerror(errno)))") }
        let (seconds, attoseconds) = patience.patient.components
        // All zero would be no limit at all (socket(7)).
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), Int32(TCP_NODELAY), &yes, 4)
    }

    deinit {
        close(descriptor)
    }

    /// False once the peer has closed.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            sent += count
        }
        return true
    }

    /// What has come; empty: the peer has closed. `nil`: nothing came in time.
    package func receive() -> [UInt8]? {
        var isLate = false
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
            let received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            isLate = received < 0 && errno == EAGAIN
            count = max(0, received)
        }
        return isLate ? nil : bytes
    }

    package func endWriting() {
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
