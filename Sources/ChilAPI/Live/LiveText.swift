import ChilCore
import ChilStore

/// Server-sent events as bytes (WHATWG HTML §9.2).
enum LiveText {
    /// After which a client that lost its connection comes again.
    private static let retryMilliseconds = 3_000

    /// How a stream begins. The number alone makes no event, and is what a client names that loses its connection before the first.
    ///
    /// - Parameter isGap: what came between is not kept any more: load everything anew.
    static func greeting(_ id: UserEventID, isGap: Bool) -> [UInt8] {
        var text = ByteWriter(capacity: 96)
        text.append("retry: ")
        text.append(decimal: Int64(retryMilliseconds))
        text.append("\nid: ")
        text.append(decimal: id.rawValue)
        if isGap { text.append("\nevent: reset\ndata: {}") }
        text.append("\n\n")
        return text.finish()
    }

    static let beat = Array(":\n\n".utf8)

    static func bytes(_ events: [UserEvent]) -> [UInt8] {
        var text = ByteWriter(capacity: events.count * 192)
        for event in events {
            text.append("id: ")
            text.append(decimal: event.id.rawValue)
            text.append("\nevent: ")
            text.append(unescaped: event.type)
            text.append("\ndata: {")
            text.append(unescaped: event.data)
            text.append(",\"at\":")
            text.append(json: event.at)
            text.append("}\n\n")
        }
        return text.finish()
    }
}
