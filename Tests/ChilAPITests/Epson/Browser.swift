import ChilHTTP
import ChilLoop
import Foundation
import Testing

/// A browser that follows nothing by itself.
enum Browser {
    static func get(_ text: String) async throws -> (status: Int, location: String?) {
        let url = try #require(HTTPURL(text))
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            thread.join()
        }
        return try await LoopHome(thread.loop).run { loop in
            let client = HTTPClient(on: loop, AddressGuard(allowing: [.init(host: url.host, port: url.port)]))
            let response = try await client.send(ClientRequest(.get, url))
            return (response.statusCode, response.head.field("Location").map { String(decoding: $0, as: UTF8.self) })
        }
    }
}

/// A port that nobody listens on just now.
enum FreePort {
    static func one() throws -> UInt16 {
        let listener = try Listener(on: SocketAddress(family: .ipv4, octets: [127, 0, 0, 1], port: 0))
        defer { listener.close() }
        return listener.address.port
    }
}
