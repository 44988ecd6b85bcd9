import ChilTestSupport
import Foundation

/// A client of `GET events`: reads the stream as it comes.
final class EventStream: @unchecked Sendable {
    struct Event: Equatable {
        var id = ""
        var type = ""
        var data = ""
    }

    struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    private let socket: ClientSocket
    private var raw: [UInt8] = []
    private var text: [UInt8] = []
    private(set) var head = ""
    private(set) var isOver = false
    /// As a browser keeps it.
    private(set) var lastID = ""

    /// Sends the request and reads the answer's head.
    ///
    /// - Parameter port: of what stands before the service.
    init(_ app: App, on service: Service? = nil, port: UInt16? = nil, after lastID: String? = nil) throws {
        socket = try ClientSocket(to: port ?? (service ?? app.service).port)
        var request = app.request("GET", "events").adding("Accept", "text/event-stream")
        if let lastID { request = request.adding("Last-Event-ID", lastID) }
        socket.send(request.bytes)
        while true {
            if let end = String(decoding: raw, as: UTF8.self).range(of: "\r\n\r\n") {
                let whole = String(decoding: raw, as: UTF8.self)
                head = String(whole[..<end.lowerBound])
                raw = Array(whole[end.upperBound...].utf8)
                return
            }
            try receive()
            if isOver { throw Broken(description: "closed before an answer") }
        }
    }

    var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }

    /// The next event; `nil`: the stream has ended. Comments and what only sets the number are passed over.
    func next() throws -> Event? {
        while true {
            if let block = takeBlock() {
                var event = Event()
                for line in block.split(separator: "\n") {
                    if line.hasPrefix("id: ") { lastID = String(line.dropFirst(4)) }
                    if line.hasPrefix("event: ") { event.type = String(line.dropFirst(7)) }
                    if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
                }
                event.id = lastID
                if !event.data.isEmpty { return event }
                continue
            }
            if isOver { return nil }
            try receive()
        }
    }

    private func takeBlock() -> String? {
        let whole = String(decoding: text, as: UTF8.self)
        guard let end = whole.range(of: "\n\n") else { return nil }
        text = Array(whole[end.upperBound...].utf8)
        return String(whole[..<end.lowerBound])
    }

    private func receive() throws {
        guard let bytes = socket.receive() else { throw Broken(description: "nothing came in time") }
        if bytes.isEmpty { isOver = true }
        raw += bytes
        guard !head.isEmpty else { return }
        takeChunks()
    }

    /// Whole chunks (RFC 9112 §7.1) out of what has come.
    private func takeChunks() {
        while let line = raw.firstIndex(of: 0x0a), line > 0,
            let size = Int(String(decoding: raw[..<(line - 1)], as: UTF8.self), radix: 16),
            raw.count >= line + 1 + size + 2
        {
            text += raw[(line + 1)..<(line + 1 + size)]
            raw.removeFirst(line + 1 + size + 2)
            if size == 0 { isOver = true }
        }
    }
}
