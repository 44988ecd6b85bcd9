import ChilHTTP

/// What a server would have understood of the bytes of one connection.
struct Transcript: Equatable, CustomStringConvertible {
    struct Request: Equatable {
        let head: RequestHead
        var body: [UInt8] = []
    }

    enum Ending: Equatable {
        /// All bytes taken, at the end of a request.
        case complete
        /// All bytes taken, in the midst of a head or a body.
        case incomplete
        /// The last request asked for the connection to be closed; later bytes are not read.
        case closed
        case rejected(Rejection)
    }

    var requests: [Request] = []
    var ending = Ending.complete

    var description: String {
        let lines = requests.map { request in
            "\(String(decoding: request.head.methodBytes, as: UTF8.self)) "
                + "\(String(decoding: request.head.target, as: UTF8.self)) body \(request.body.count)"
        }
        return "\(lines) \(ending)"
    }

    /// Feeds `pieces` one after another to the machines, as a connection would.
    static func reading(_ pieces: [ArraySlice<UInt8>], bodyBytesMax: Int = 1 << 20) -> Self {
        var reader = Reader(bodyBytesMax: bodyBytesMax)
        for piece in pieces where reader.isOpen { reader.read(piece) }
        return reader.finish()
    }

    private struct Reader {
        let bodyBytesMax: Int
        var transcript = Transcript()
        var parser = RequestHeadParser()
        var current: (request: Request, body: BodyFraming)?
        var isOpen = true

        mutating func read(_ piece: ArraySlice<UInt8>) {
            piece.withUnsafeBytes { bytes in
                var at = 0
                while isOpen {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[at...])
                    let consumed = current == nil ? readHead(rest) : readBody(rest)
                    guard let consumed else { return }
                    at += consumed
                }
            }
        }

        /// Nil when more bytes are needed.
        private mutating func readHead(_ bytes: UnsafeRawBufferPointer) -> Int? {
            let (consumed, step) = parser.receive(bytes)
            switch step {
            case .needMoreBytes: return nil
            case .head(let head):
                current = (Request(head: head), BodyFraming(head.framing, bytesMax: bodyBytesMax))
                return consumed
            case .reject(_, let reason):
                reject(reason)
                return nil
            }
        }

        private mutating func readBody(_ bytes: UnsafeRawBufferPointer) -> Int? {
            guard var (request, body) = current else { return nil }
            let (consumed, step) = body.receive(bytes)
            switch step {
            case .needMoreBytes:
                current = (request, body)
                return nil
            case .bytes(let range):
                request.body += bytes[range]
                current = (request, body)
                return consumed
            case .end:
                current = nil
                transcript.requests.append(request)
                if !request.head.keepAlive {
                    isOpen = false
                    transcript.ending = .closed
                }
                return consumed
            case .reject(_, let reason):
                reject(reason)
                return nil
            }
        }

        private mutating func reject(_ reason: Rejection) {
            isOpen = false
            transcript.ending = .rejected(reason)
        }

        mutating func finish() -> Transcript {
            if isOpen { transcript.ending = current != nil || parser.isInsideHead ? .incomplete : .complete }
            return transcript
        }
    }
}
