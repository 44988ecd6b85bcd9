import ChilCore
import Foundation

/// Stands between a client and its server and passes their bytes on. It can lose answers, and reads along what goes to PostgreSQL.
final class Relay: Sendable {
    enum Target: Sendable {
        case port(UInt16)
        /// PostgreSQL's Unix socket.
        case postgres(String)
        /// A pooler, which speaks PostgreSQL's protocol.
        case pooler(UInt16)

        var speaksPostgres: Bool { if case .port = self { false } else { true } }
    }

    private struct State {
        var links: [Link] = []
        var binds: [String: Int] = [:]
        var losing: Losing?
        /// PostgreSQL's messages, either way, until the connection of the last one is cut.
        var countdown: Int?
        var isClosed = false
    }

    enum Losing: Sendable {
        case everything
        /// From the next use of the prepared statement on, on its connection.
        case statement(String)
    }

    let port: UInt16
    private let target: Target
    private let listener: Int32
    private let state = Locked(State())

    init(to target: Target) throws {
        self.target = target
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard code else { throw Program.Failure(description: "no relay: \(String(cString: strerror(errno)))") }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in accept() }
    }

    /// The PostgreSQL of an administrator's address, which names its socket's directory.
    convenience init(toPostgresOf url: String) throws {
        let items = URLComponents(string: url)?.queryItems ?? []
        guard let folder = items.first(where: { $0.name == "host" })?.value, folder.hasPrefix("/") else {
            throw Program.Failure(description: "\(url) names no socket: run the tests by scripts/test")
        }
        try self.init(to: .postgres("\(folder)/.s.PGSQL.5432"))
    }

    convenience init(toPostgresAt port: UInt16) throws {
        try self.init(to: .pooler(port))
    }

    /// How often a prepared statement was used; `nil`: any of them.
    func uses(of statement: String?) -> Int {
        state.withLock { state in
            statement.map { state.binds[$0, default: 0] } ?? state.binds.values.reduce(0, +)
        }
    }

    /// What comes back from now on is lost; what goes there arrives.
    func lose(_ losing: Losing?) {
        state.withLock { $0.losing = losing }
    }

    /// Cuts a connection when so many messages between a client and PostgreSQL have passed, of all connections: the last one goes half
    /// way.
    func cut(after count: Int) {
        state.withLock { $0.countdown = count }
    }

    /// Whether that has happened.
    var hasCut: Bool { state.withLock { $0.countdown == nil } }

    /// Cuts the connections whose answers were lost.
    func cut() {
        for link in state.withLock({ $0.links }) where link.isDeaf { link.cut() }
    }

    func close() {
        let links = state.withLock { state in
            state.isClosed = true
            return state.links
        }
        shutdown(listener, Int32(SHUT_RDWR))
        Glibc.close(listener)
        for link in links { link.cut() }
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            if client < 0 { return }
            guard let server = connect() else {
                Glibc.close(client)
                continue
            }
            let link = Link(client: client, server: server)
            let isClosed = state.withLock { state in
                state.links.append(link)
                return state.isClosed
            }
            if isClosed { link.cut() }
            Thread.detachNewThread { [self] in
                var messages = FrontendMessages()
                var frames = MessageFrames(beginsWithStart: true)
                link.pass(from: client, to: server) { bytes in
                    if target.speaksPostgres {
                        note(messages.statements(in: bytes), link)
                        if let end = count(&frames, bytes) { return .cut(after: end) }
                    }
                    if case .everything = state.withLock({ $0.losing }) { link.isDeaf = true }
                    return .all
                }
                forget(link)
            }
            Thread.detachNewThread { [self] in
                var frames = MessageFrames(beginsWithStart: false)
                link.pass(from: server, to: client) { bytes in
                    if target.speaksPostgres, let end = count(&frames, bytes) { return .cut(after: end) }
                    return link.isDeaf ? .nothing : .all
                }
                forget(link)
            }
        }
    }

    /// One direction has ended. With the second its descriptors go: a long trial cuts thousands of connections.
    private func forget(_ link: Link) {
        guard link.hasEnded() else { return }
        state.withLock { state in state.links.removeAll { $0 === link } }
    }

    /// Counts the messages that begin in these bytes; where the connection is to be cut, if it is.
    private func count(_ frames: inout MessageFrames, _ bytes: [UInt8]) -> Int? {
        let begun = frames.begun(in: bytes)
        return state.withLock { state in
            guard let left = state.countdown else { return nil }
            guard begun.count >= left else {
                state.countdown = left - begun.count
                return nil
            }
            state.countdown = nil
            return left == 0 ? 0 : min(bytes.count, begun[left - 1] + 3)
        }
    }

    private func note(_ statements: [String], _ link: Link) {
        state.withLock { state in
            for statement in statements {
                state.binds[statement, default: 0] += 1
                if case .statement(let name) = state.losing, name == statement {
                    link.isDeaf = true
                    state.losing = nil
                }
            }
        }
    }

    private func connect() -> Int32? {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        switch target {
        case .port(let port), .pooler(let port):
            let descriptor = socket(AF_INET, type, 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            return Self.connect(descriptor, &address)
        case .postgres(let path):
            let descriptor = socket(AF_UNIX, type, 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
            return Self.connect(descriptor, &address)
        }
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32? {
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        if code == 0 { return descriptor }
        Glibc.close(descriptor)
        return nil
    }
}

/// A connection and the one behind it. Descriptors are closed when both directions have ended.
private final class Link: Sendable {
    private let client: Int32
    private let server: Int32
    private let deaf = Locked(false)
    private let directionsEnded = Locked(0)

    init(client: Int32, server: Int32) {
        self.client = client
        self.server = server
    }

    deinit {
        close(client)
        close(server)
    }

    /// What comes back is lost.
    var isDeaf: Bool {
        get { deaf.withLock { $0 } }
        set { deaf.withLock { $0 = newValue } }
    }

    /// Whether this was the second of its directions.
    func hasEnded() -> Bool {
        directionsEnded.withLock { count in
            count += 1
            return count == 2
        }
    }

    func cut() {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
    }

    enum Passage {
        case all
        case nothing
        /// So many bytes of the piece are the last.
        case cut(after: Int)
    }

    /// Until one of them closes. `passage` sees each piece before it goes on.
    func pass(from source: Int32, to sink: Int32, _ passage: ([UInt8]) -> Passage) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            if count <= 0 { break }
            let bytes = Array(buffer[..<count])
            let end: Int
            switch passage(bytes) {
            case .all: end = count
            case .nothing: continue
            case .cut(let last): end = last
            }
            var sent = 0
            while sent < end {
                let step = bytes.withUnsafeBytes { send(sink, $0.baseAddress! + sent, end - sent, Int32(MSG_NOSIGNAL)) }
                if step <= 0 { break }
                sent += step
            }
            if sent < count { break }
        }
        cut()
    }
}

/// Where messages begin in what either side of PostgreSQL's protocol sends: a type of one byte, a length of four; a client's first has no
/// type.
private struct MessageFrames {
    private var hasType: Bool
    /// Bytes of the current message that are still to come, once its length is known.
    private var left = 0
    private var head: [UInt8] = []

    init(beginsWithStart: Bool) {
        hasType = !beginsWithStart
    }

    /// Places in `bytes` at which a message begins.
    mutating func begun(in bytes: [UInt8]) -> [Int] {
        var places: [Int] = []
        var index = 0
        while index < bytes.count {
            if left > 0 {
                let step = min(left, bytes.count - index)
                left -= step
                index += step
                continue
            }
            if head.isEmpty { places.append(index) }
            head.append(bytes[index])
            index += 1
            let size = hasType ? 5 : 4
            guard head.count == size else { continue }
            left = head.suffix(4).reduce(0) { $0 << 8 | Int($1) } - 4
            head = []
            hasType = true
        }
        return places
    }
}

/// What a client says to PostgreSQL (PostgreSQL's manual, "Message Formats"), in whatever pieces it comes.
private struct FrontendMessages {
    private var pending: [UInt8] = []
    private var hasStarted = false

    /// The prepared statements that these bytes bind, by name.
    mutating func statements(in bytes: [UInt8]) -> [String] {
        pending += bytes
        var names: [String] = []
        var start = 0
        while true {
            let head = hasStarted ? 1 : 0
            guard pending.count - start >= head + 4 else { break }
            let length = pending[(start + head)..<(start + head + 4)].reduce(0) { $0 << 8 | Int($1) }
            guard pending.count - start >= head + length else { break }
            let body = pending[(start + head + 4)..<(start + head + length)]
            if !hasStarted {
                // A request for encryption (SSL, GSS) comes before the start proper.
                let code = body.prefix(4).reduce(0) { $0 << 8 | Int($1) }
                hasStarted = code != 80_877_103 && code != 80_877_104
            } else if pending[start] == UInt8(ascii: "B") {
                let parts = body.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
                if parts.count == 3 { names.append(String(decoding: parts[1], as: UTF8.self)) }
            }
            start += head + length
        }
        pending.removeFirst(start)
        return names
    }
}
