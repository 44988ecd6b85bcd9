import ChilCore
internal import Dispatch
internal import Glibc

/// getaddrinfo(3) on a Dispatch thread: it blocks, and a loop may not.
package enum NameResolver {
    package enum Failure: Error, Equatable, CustomStringConvertible {
        /// The text of gai_strerror(3).
        case unknown(String)
        case timedOut

        package var description: String {
            switch self {
            case .unknown(let text): text
            case .timedOut: "nobody says in time where it is"
            }
        }
    }

    private typealias Waiter = UnsafeContinuation<Result<[SocketAddress], Failure>, Never>

    /// Addresses of `host`, in the order in which they should be tried. A numeric address is answered at once.
    ///
    /// - Parameter patience: after it the look-up goes on by itself, and nobody hears of its end.
    package static func addresses(
        of host: String,
        port: UInt16,
        within patience: Duration = .seconds(5)
    ) async throws(Failure) -> [SocketAddress] {
        if let numeric = SocketAddress(numericHost: host, port: port) { return [numeric] }
        let result = await withUnsafeContinuation { (continuation: Waiter) in
            let waiter = Locked<Waiter?>(continuation)
            @Sendable func answer(_ result: Result<[SocketAddress], Failure>) {
                let waiting = waiter.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                waiting?.resume(returning: result)
            }
            let queue = DispatchQueue.global()
            queue.async { answer(lookUp(host, port)) }
            queue.asyncAfter(deadline: .now() + .microseconds(Int(patience.wholeMicroseconds))) {
                answer(.failure(.timedOut))
            }
        }
        return try result.get()
    }

    private static func lookUp(_ host: String, _ port: UInt16) -> Result<[SocketAddress], Failure> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { return .failure(.unknown(String(cString: gai_strerror(code)))) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next, addresses.count < addressesMax {
            if let address = info.pointee.ai_addr.flatMap({ SocketAddress($0) }), !addresses.contains(address) {
                addresses.append(address)
            }
            next = info.pointee.ai_next
        }
        return .success(addresses)
    }

    private static let addressesMax = 8
}
