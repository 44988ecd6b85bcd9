import ChilCore
package import ChilLoop
import Glibc

/// One request, one connection: to the address that the guard allowed, with a limit on every wait and size.
///
/// Not `Sendable`: it works on its loop. It keeps no connections: what it talks to (key sets, printers) is asked rarely.
package struct HTTPClient {
    private let loop: EventLoop
    private let addressGuard: AddressGuard

    package init(on loop: EventLoop, _ addressGuard: AddressGuard) {
        self.loop = loop
        self.addressGuard = addressGuard
    }

    /// - Parameter body: what follows the request's own body.
    package func send(_ request: ClientRequest, followedBy body: ClientBody? = nil) async throws(ClientFailure)
        -> ClientResponse
    {
        let deadline = loop.monotonicNow + request.patience.nanoseconds
        let head = try Self.head(of: request, body)
        let socket = try await connect(request, deadline)
        let url = request.url
        var stream = try await ClientStream(
            socket,
            securedFor: url.isSecure ? url.host : nil,
            request.trust,
            patience: left(of: request.connectPatience, deadline),
            deadline: deadline
        )
        defer { stream.close() }
        try await stream.send(head)
        if let body {
            try await send(body, after: request, on: &stream)
        } else {
            for piece in request.body { try await stream.send(piece) }
        }
        var response = try await answer(to: request, from: stream)
        response.certificate = stream.certificate
        return response
    }

    // MARK: Connecting

    private func connect(_ request: ClientRequest, _ deadline: Int64) async throws(ClientFailure) -> ByteStream {
        let url = request.url
        let addresses: [SocketAddress]
        do {
            addresses = try await NameResolver.addresses(
                of: url.host,
                port: url.port,
                within: left(of: request.connectPatience, deadline)
            )
        } catch {
            throw ClientFailure(.unknownHost, "\(url.host): \(error)")
        }
        var last = ClientFailure(.unknownHost, "\(url.host) has no address")
        for address in addresses {
            // A name with many addresses, none of which answers, takes no longer than any other.
            guard loop.monotonicNow < deadline else { break }
            guard addressGuard.allows(address, for: url.host) else {
                last = ClientFailure(
                    .refusedAddress,
                    "\(url.host) is at \(address.host), which is not public: allow \(url.host):\(url.port) if that is meant"
                )
                continue
            }
            do {
                return try await ByteStream.connect(
                    to: address,
                    within: left(of: request.connectPatience, deadline),
                    on: loop
                )
            } catch {
                switch error {
                case .timedOut: last = ClientFailure(.connectTimedOut, "\(address) does not answer")
                case .refused(let code):
                    last = ClientFailure(.connectFailed, "\(address): \(String(cString: strerror(code)))")
                }
            }
        }
        throw last
    }

    private func left(of patience: Duration, _ deadline: Int64) -> Duration {
        min(patience, max(.zero, .nanoseconds(deadline - loop.monotonicNow)))
    }

    // MARK: Writing

    /// Piece by piece, as the peer takes them; no further once it takes no more.
    private func send(
        _ body: ClientBody,
        after request: ClientRequest,
        on stream: inout ClientStream
    ) async throws(ClientFailure) {
        let end = loop.monotonicNow + request.bodyPatience.nanoseconds
        for piece in request.body where !piece.isEmpty {
            guard try await stream.send(body.framed(piece)) else { return }
        }
        var count = 0
        while true {
            let piece: [UInt8]?
            do {
                piece = try await body.next()
            } catch {
                throw ClientFailure(.bodyFailed, "\(error)", mayHaveArrived: true)
            }
            // Whoever makes a piece slowly leaves the peer its time.
            stream.deadline = min(end, loop.monotonicNow + request.patience.nanoseconds)
            guard let piece else { break }
            guard !piece.isEmpty else { continue }
            count += piece.count
            guard count <= body.byteCount ?? .max else {
                throw ClientFailure(.bodyFailed, "more bytes than were announced", mayHaveArrived: true)
            }
            guard try await stream.send(body.framed(piece)) else { return }
        }
        guard count == body.byteCount ?? count else {
            throw ClientFailure(.bodyFailed, "fewer bytes than were announced", mayHaveArrived: true)
        }
        stream.deadline = loop.monotonicNow + request.patience.nanoseconds
        if body.byteCount == nil { try await stream.send(ClientBody.lastChunk) }
    }

    private static func head(of request: ClientRequest, _ body: ClientBody?) throws(ClientFailure) -> [UInt8] {
        var head = ByteWriter(capacity: 512)
        head.append(request.method.name)
        head.append(" ")
        head.append(unescaped: request.url.target)
        head.append(" HTTP/1.1\r\nHost: ")
        head.append(unescaped: request.url.authority)
        head.append("\r\nConnection: close\r\nUser-Agent: chilapi\r\n")
        for (name, value) in request.fields {
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
                throw ClientFailure(.invalidRequest, "the value of \(name) has control characters")
            }
            head.append(name)
            head.append(": ")
            head.append(unescaped: value)
            head.append("\r\n")
        }
        if let body, body.byteCount == nil {
            head.append("Transfer-Encoding: chunked\r\n")
        } else if !request.body.isEmpty || request.method == .post {
            head.append("Content-Length: ")
            head.append(decimal: request.body.reduce(body?.byteCount ?? 0) { $0 + $1.count })
            head.append("\r\n")
        }
        head.append("\r\n")
        return head.finish()
    }

    // MARK: Reading

    private func answer(to request: ClientRequest, from stream: ClientStream) async throws(ClientFailure)
        -> ClientResponse
    {
        var parser = ResponseHeadParser(answering: request.method)
        var head: ResponseHead?
        var framing: BodyFraming?
        var body: [UInt8] = []
        var isWhole = false
        var failure: ClientFailure?
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { buffer.deallocate() }

        func take(_ bytes: UnsafeRawBufferPointer) {
            var rest = bytes
            while !isWhole, failure == nil {
                if framing == nil {
                    let (consumed, step) = parser.receive(rest)
                    rest = UnsafeRawBufferPointer(rebasing: rest[consumed...])
                    switch step {
                    case .needMoreBytes: return
                    case .head(let found):
                        head = found
                        framing = BodyFraming(found.framing, bytesMax: request.responseBytesMax)
                    case .reject(let rejection):
                        failure = ClientFailure(.malformed, rejection.words, mayHaveArrived: true)
                    }
                } else {
                    let (consumed, step) = framing!.receive(rest)
                    if case .bytes(let range) = step { body.append(contentsOf: rest[range]) }
                    rest = UnsafeRawBufferPointer(rebasing: rest[consumed...])
                    switch step {
                    case .needMoreBytes: return
                    case .bytes: break
                    case .end: isWhole = true
                    case .reject(_, let rejection):
                        failure =
                            rejection == .bodyTooLarge
                            ? ClientFailure(
                                .tooLarge,
                                "more than \(request.responseBytesMax) bytes",
                                mayHaveArrived: true
                            )
                            : ClientFailure(.malformed, rejection.words, mayHaveArrived: true)
                    }
                }
            }
        }

        while !isWhole {
            switch await stream.receive(into: buffer) {
            case .bytes(let count): take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            case .timedOut: throw ClientFailure(.timedOut, "no whole answer in time", mayHaveArrived: true)
            case .cutOff: throw ClientFailure(.cutOff, "the connection broke", mayHaveArrived: true)
            case .ended:
                guard framing?.receiveEnd() == .end else {
                    throw ClientFailure(.cutOff, "the peer ended the connection", mayHaveArrived: true)
                }
                isWhole = true
            }
            if let failure { throw failure }
        }
        guard let head else { throw ClientFailure(.malformed, "no head", mayHaveArrived: true) }
        return ClientResponse(head: head, body: body)
    }
}
