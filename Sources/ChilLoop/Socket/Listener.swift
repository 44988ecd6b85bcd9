internal import CLinux
internal import Glibc

/// One listening TCP socket that every loop accepts from.
///
/// It is shared, not `SO_REUSEPORT`: with one queue nothing waits in a queue that is closed, and a port that is taken stops the
/// start instead of splitting the traffic with a stranger.
package struct Listener: Sendable {
    package let descriptor: Int32
    package let address: SocketAddress

    /// - Parameter address: port 0 lets the kernel choose; `self.address` then has the real one.
    package init(on address: SocketAddress) throws(LoopError) {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.domain, type, 0)
        guard descriptor >= 0 else { throw .system("socket", errno) }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
        // Inherited by accepted sockets: answers go out whole, so waiting for more to send only adds delay.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, 4)
        let bound = address.withSockaddr { bind(descriptor, $0, $1) }
        guard bound == 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw .system("bind \(address)", code)
        }
        guard listen(descriptor, Self.backlog) == 0 else {
            let code = errno
            Glibc.close(descriptor)
            throw .system("listen \(address)", code)
        }
        self.descriptor = descriptor
        self.address = Self.boundAddress(of: descriptor) ?? address
    }

    /// The next waiting connection, or `nil` when none waits (or none can be taken now).
    package func accept() -> Accepted {
        while true {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let accepted = withUnsafeMutablePointer(to: &storage) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    accept4(
                        descriptor,
                        $0,
                        &length,
                        Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
                    )
                }
            }
            if accepted >= 0 {
                let peer = withUnsafePointer(to: &storage) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { SocketAddress($0) }
                }
                return .connection(accepted, peer)
            }
            switch errno {
            case EINTR, ECONNABORTED: continue
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
            default: return .noneWaiting
            }
        }
    }

    package enum Accepted {
        case connection(Int32, SocketAddress?)
        case noneWaiting
        /// No descriptor or memory for it: stop accepting for a while, the queue keeps the client.
        case exhausted
    }

    package func close() {
        Glibc.close(descriptor)
    }

    private static func boundAddress(of descriptor: Int32) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length) == 0 ? SocketAddress($0) : nil
            }
        }
    }

    private static let backlog: Int32 = 2048
}
