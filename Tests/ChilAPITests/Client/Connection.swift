import ChilTestSupport
import Foundation

/// A client's connection, blocking: one request after another, each byte as it is told.
final class Connection: @unchecked Sendable {
    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    private let socket: ClientSocket
    private var received: [UInt8] = []
    private var asked = AskedQuestions()

    /// - Parameter patience: of each read; lengthened where all is slower.
    init(to port: UInt16, patience: Duration = .seconds(15)) throws {
        socket = try ClientSocket(to: port, patience: patience)
    }

    func send(_ request: Request) throws -> Answer {
        let begun = ContinuousClock.now
        socket.send(request.bytes)
        let answer = try read(isHead: request.method == "HEAD", since: begun)
        ContractWatch.see(answer, to: Contract.Question(request))
        return answer
    }

    /// False once the peer has closed.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        asked.written(bytes)
        return socket.send(bytes)
    }

    /// The next answer.
    func receive(isHead: Bool = false, since begun: ContinuousClock.Instant = .now) throws -> Answer {
        let answer = try read(isHead: isHead, since: begun)
        // Before an answer that goes on reading there is no question to give up.
        if answer.status >= 200 { ContractWatch.see(answer, to: asked.next()) }
        return answer
    }

    private func read(isHead: Bool, since begun: ContinuousClock.Instant) throws -> Answer {
        var end: Range<Int>?
        while end == nil {
            end = Self.blankLine(in: received)
            if end == nil, try !readSome() { throw Broken(description: "closed before an answer") }
        }
        let lines = String(decoding: received[..<end!.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        received.removeSubrange(..<end!.upperBound)
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw Broken(description: "no answer: \(lines[0])")
        }
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return Answer.Field(name: String(parts[0]), value: parts.count > 1 ? String(parts[1].dropFirst()) : "")
        }
        if !isHead, fields.contains(where: { $0.name == "Transfer-Encoding" && $0.value == "chunked" }) {
            return Answer(status: status, fields: fields, body: try receiveChunks(), elapsed: .now - begun)
        }
        var length = 0
        if !isHead, status != 204, status != 304, let field = fields.first(where: { $0.name == "Content-Length" }) {
            length = Int(field.value) ?? 0
        }
        while received.count < length {
            if try !readSome() { throw Broken(description: "closed within a body") }
        }
        let body = Array(received[..<length])
        received.removeSubrange(..<length)
        return Answer(status: status, fields: fields, body: body, elapsed: .now - begun)
    }

    /// The body of an answer in chunks (RFC 9112 §7.1), up to its last one.
    private func receiveChunks() throws -> [UInt8] {
        var body: [UInt8] = []
        // Where the next chunk begins: removing each from the front would take for ever.
        var at = 0
        while true {
            while !received[at...].contains(0x0a) {
                if try !readSome() { throw Broken(description: "closed within a body") }
            }
            let end = received[at...].firstIndex(of: 0x0a) ?? at
            guard let size = Int(String(decoding: received[at..<max(at, end - 1)], as: UTF8.self), radix: 16) else {
                throw Broken(description: "no size of a chunk")
            }
            at = end + 1
            while received.count < at + size + 2 {
                if try !readSome() { throw Broken(description: "closed within a body") }
            }
            guard received[at + size] == 0x0d, received[at + size + 1] == 0x0a else {
                throw Broken(description: "no end of a chunk")
            }
            body += received[at..<at + size]
            at += size + 2
            if size == 0 || at > 4 << 20 {
                received.removeSubrange(..<at)
                at = 0
            }
            if size == 0 { return body }
        }
    }

    /// Waits for the first bytes of an answer, and keeps them.
    func begins() throws -> Bool { try readSome() }

    /// Reads to the peer's end, with a pause after each read, and keeps none of it: how many bytes came, and the last few.
    ///
    /// - Parameter pause: in microseconds.
    func drain(pause: UInt32) throws -> (count: Int, end: String) {
        var count = 0
        var end: [UInt8] = []
        while try readSome() {
            count += received.count
            end = Array((end + received.suffix(16)).suffix(16))
            received.removeAll(keepingCapacity: true)
            usleep(pause)
        }
        return (count, String(decoding: end, as: UTF8.self))
    }

    /// True if the peer has closed or closes, and sends nothing before.
    func isClosedByPeer() -> Bool {
        (try? readSome()) == false && received.isEmpty
    }

    private func readSome() throws -> Bool {
        guard let bytes = socket.receive() else { throw Broken(description: "no answer in time") }
        received.append(contentsOf: bytes)
        return !bytes.isEmpty
    }

    private static func blankLine(in bytes: [UInt8]) -> Range<Int>? {
        guard bytes.count >= 4 else { return nil }
        for start in 0...(bytes.count - 4) where bytes[start] == 13 {
            if bytes[start + 1] == 10, bytes[start + 2] == 13, bytes[start + 3] == 10 { return start..<(start + 4) }
        }
        return nil
    }
}
