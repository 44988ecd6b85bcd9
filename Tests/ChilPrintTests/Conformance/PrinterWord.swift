import ChilPrint
import ChilPrintTestSupport
import Foundation

/// A word with a printer past the program: as a person with another client would have it.
enum PrinterWord {
    /// Jobs that it prints, or will.
    static func hasPages(at port: UInt16, _ path: String) -> Bool {
        let answer = ask(0x000A, at: port, path, [IPPAttribute("requested-attributes", .keyword("job-state"))])
        let states = answer?.groups.filter { $0.kind == .job }.compactMap { $0.first("job-state")?.number } ?? []
        return states.contains { $0 == 3 || $0 == 5 }
    }

    @discardableResult
    static func ask(_ operation: UInt16, at port: UInt16, _ path: String, _ attributes: [IPPAttribute] = [])
        -> IPPMessage?
    {
        let wanted = IPPMessage(
            version: .v2_0,
            code: operation,
            requestID: 1,
            groups: [
                IPPMessage.Group(
                    .operation,
                    [
                        IPPAttribute("attributes-charset", .charset("utf-8")),
                        IPPAttribute("attributes-natural-language", .naturalLanguage("en")),
                        IPPAttribute("printer-uri", .uri("ipp://localhost:\(port)\(path)")),
                    ] + attributes
                )
            ]
        )
        guard let body = try? wanted.encoded(), let descriptor = PeerSocket.connect(to: port) else { return nil }
        defer { close(descriptor) }
        let head =
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/ipp\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        PeerSocket.send(Array(head.utf8) + body, to: descriptor)
        return try? IPPMessage(decoding: Array(PeerSocket.message(from: descriptor).body))
    }
}
