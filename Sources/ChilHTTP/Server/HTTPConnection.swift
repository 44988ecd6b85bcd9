import ChilCore
import ChilLoop

/// One client's connection: its requests, strictly one after another. Not `Sendable`.
final class HTTPConnection {
    let stream: ByteStream
    let peer: SocketAddress?
    private unowned let server: HTTPServer
    private var parser: RequestHeadParser
    /// Bytes that came and were not taken yet: a body's beginning, a pipelined request.
    private var pending: [UInt8] = []
    private var pendingStart = 0
    /// True between a head's last byte and the end of its answer.
    private(set) var isBusy = false
    /// Somebody else has the stream now.
    private var isHandedOver = false

    init(_ stream: ByteStream, _ peer: SocketAddress?, _ server: HTTPServer) {
        self.stream = stream
        self.peer = peer
        self.server = server
        parser = RequestHeadParser(limits: server.limits.head)
    }

    var loop: EventLoop { stream.loop }

    /// Serves until the client or the server ends the connection, or until it is handed over: then false.
    func serve() async -> Bool {
        guard await stream.completeHandshake(until: loop.monotonicNow + server.limits.headPatience.nanoseconds) else {
            stream.close()
            return true
        }
        serving: while true {
            switch await nextHead() {
            case .head(let head):
                isBusy = true
                let mayGoOn = await answer(head)
                isBusy = false
                if isHandedOver { return false }
                if !mayGoOn { break serving }
            case .refused(let rejection):
                _ = await send(server.handler.refusal(rejection), to: nil, keepAlive: false)
                await linger()
                break serving
            case .over:
                break serving
            }
        }
        stream.close()
        return true
    }

    /// True if another request may follow.
    private func answer(_ head: RequestHead) async -> Bool {
        let exchange = Exchange(head, on: self)
        var response = await server.handler.respond(to: exchange)
        if let fault = exchange.bodyFault, fault != .bodyTooLarge { response = server.handler.refusal(fault) }
        var keepAlive = head.keepAlive && !response.closes && !server.isStopping
        // The close is the only end that HTTP/1.0 knows of a body without a length.
        if head.version == .http10, response.body.isStream { keepAlive = false }
        if case .held = response.body { keepAlive = false }
        if keepAlive, exchange.isBodyLeft { keepAlive = await exchange.drain(server.limits.drainBytesMax) }
        guard await send(response, to: head, keepAlive: keepAlive) else { return false }
        if isHandedOver { return false }
        if !keepAlive { await linger() }
        return keepAlive
    }

    // MARK: Reading

    private enum NextHead {
        case head(RequestHead)
        case refused(Rejection)
        case over
    }

    private func nextHead() async -> NextHead {
        let begun = loop.monotonicNow
        var headBegun: Int64 = 0
        while true {
            var found: NextHead?
            let isOpen = await withInput(
                deadline: headBegun == 0
                    ? begun + server.limits.idlePatience.nanoseconds
                    : headBegun + server.limits.headPatience.nanoseconds
            ) { bytes in
                let (consumed, step) = parser.receive(bytes)
                switch step {
                case .needMoreBytes: break
                case .head(let head): found = .head(head)
                case .reject(_, let rejection): found = .refused(rejection)
                }
                return consumed
            }
            if let found { return found }
            if headBegun == 0 { headBegun = loop.monotonicNow }
            // A client that goes silent inside a head gets no answer: there is no request to answer.
            if !isOpen { return parser.isInsideHead ? .refused(.truncated) : .over }
        }
    }

    /// Gives `take` bytes that came, waiting for some if there are none; it answers how many it took. False when the client has
    /// ended its side, failed or was too slow.
    func withInput(
        deadline: Int64,
        _ take: (UnsafeRawBufferPointer) -> Int
    ) async -> Bool {
        if pendingStart < pending.count {
            let taken = pending.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[pendingStart...])) }
            pendingStart += taken
            if pendingStart == pending.count {
                // A long upload leaves a large buffer behind; a small one is worth keeping.
                pending.removeAll(keepingCapacity: pending.capacity <= 16_384)
                pendingStart = 0
            }
            if taken > 0 { return true }
        }
        stream.readDeadline = deadline
        while true {
            let input = server.input
            switch stream.read(into: input) {
            case .bytes(let count):
                let fresh = UnsafeRawBufferPointer(rebasing: input[..<count])
                if pendingStart < pending.count {
                    pending.append(contentsOf: fresh)
                    let taken = pending.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[pendingStart...])) }
                    pendingStart += taken
                } else {
                    let taken = take(fresh)
                    if taken < count { pending.append(contentsOf: fresh[taken...]) }
                }
                return true
            case .wouldBlock:
                guard await stream.waitReadable() == .ready else { return false }
            case .ended, .failed:
                return false
            }
        }
    }

    /// When a body that begins now must be whole.
    var bodyDeadline: Int64 { loop.monotonicNow + server.limits.bodyTotal.nanoseconds }

    /// When the next piece of a body must have come.
    func pieceDeadline(within bodyDeadline: Int64) -> Int64 {
        min(bodyDeadline, loop.monotonicNow + server.limits.bodyPatience.nanoseconds)
    }

    /// Closing with unread bytes would reset the connection and take the answer from the client: read on for a moment.
    private func linger() async {
        stream.endWriting()
        let end = loop.monotonicNow + server.limits.lingerPatience.nanoseconds
        var dropped = 0
        pending = []
        pendingStart = 0
        while dropped < server.limits.lingerBytesMax, loop.monotonicNow < end {
            let isOpen = await withInput(deadline: end) { bytes in
                dropped += bytes.count
                return bytes.count
            }
            if !isOpen { return }
        }
    }

    // MARK: Writing

    func sendContinue() async -> Bool {
        await write(Self.continueLine, nil)
    }

    /// Writes the answer; one sendmsg(2) if the socket takes it.
    private func send(_ response: Response, to head: RequestHead?, keepAlive: Bool) async -> Bool {
        let isHead = head?.method == .head
        let bytes = response.head(date: server.dateField, keepAlive: keepAlive, isForHTTP10: head?.version == .http10)
        if isHead || response.status.isBodiless { return await write(bytes, nil) }
        switch response.body {
        case .none: return await write(bytes, nil)
        case .bytes(let body): return await write(bytes, body)
        case .pieces(let pieces):
            guard await write(bytes, pieces.first) else { return false }
            for piece in pieces.dropFirst() {
                guard await write([], piece) else { return false }
            }
            return true
        case .source(let source): return await send(bytes, source)
        case .stream(let stream): return await send(bytes, stream, inChunks: head?.version != .http10)
        case .held(let holder):
            guard await write(bytes, nil) else { return false }
            isHandedOver = true
            holder.hold(server.hold(stream, isChunked: head?.version != .http10))
            return true
        }
    }

    private func send(_ head: [UInt8], _ source: any BodySource) async -> Bool {
        var head = head
        var left = source.byteCount
        while left > 0 {
            guard let piece = await source.next(), piece.count <= left, await write(head, piece) else { return false }
            head = []
            left -= piece.count
        }
        return head.isEmpty ? true : await write(head, nil)
    }

    private func send(_ head: [UInt8], _ stream: any BodyStream, inChunks: Bool) async -> Bool {
        var before = head
        while true {
            switch await stream.next() {
            case .bytes(let piece):
                // A chunk of no bytes would be the last one.
                if piece.isEmpty { continue }
                if inChunks { before += Array("\(String(piece.count, radix: 16))\r\n".utf8) }
                guard await write(before, piece) else { return false }
                before = inChunks ? [0x0d, 0x0a] : []
            case .end: return await write(before + (inChunks ? Self.lastChunk : []), nil)
            case .broken: return false
            }
        }
    }

    private func write(_ first: [UInt8], _ second: [UInt8]?) async -> Bool {
        let second = second ?? []
        var sent = 0
        let total = first.count + second.count
        var deadline: Int64 = 0
        while sent < total {
            let outcome = first.withUnsafeBytes { first in
                second.withUnsafeBytes { second in
                    sent < first.count
                        ? stream.write(UnsafeRawBufferPointer(rebasing: first[sent...]), second)
                        : stream.write(
                            UnsafeRawBufferPointer(rebasing: second[(sent - first.count)...]),
                            UnsafeRawBufferPointer(start: nil, count: 0)
                        )
                }
            }
            switch outcome {
            case .bytes(let count): sent += count
            case .wouldBlock:
                if deadline == 0 { deadline = loop.monotonicNow + server.limits.writePatience.nanoseconds }
                stream.writeDeadline = deadline
                guard await stream.waitWritable() == .ready else { return false }
            case .ended, .failed: return false
            }
        }
        return true
    }

    private static let lastChunk = Array("0\r\n\r\n".utf8)
    private static let continueLine = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
}

extension Duration {
    var nanoseconds: Int64 { wholeMicroseconds * 1_000 }
}
