package import ChilCore
import ChilCrypto

/// What is sent of an event: the same bytes and the same id however often, signed anew each time.
package struct WebhookMessage: Sendable, Equatable {
    /// `webhook-id`: by it a receiver knows what it has had. No full stop is in it, which parts what is signed.
    package let id: String
    package let body: [UInt8]

    /// - Parameters:
    ///   - event: the event's number.
    ///   - tenant: the slug.
    ///   - data: members of a JSON object, or nothing.
    package init(event: Int64, type: String, at moment: Timestamp, tenant: String, data: String) {
        id = Self.id(event: event, type: type)
        var json = ByteWriter(capacity: 256)
        json.append("{\"type\":")
        json.append(json: type)
        json.append(",\"timestamp\":")
        json.append(json: moment)
        json.append(",\"data\":{\"tenant\":")
        json.append(json: tenant)
        if !data.isEmpty {
            json.append(",")
            // Made by the service's own statements, of numbers and words.
            json.append(unescaped: data)
        }
        json.append("}}")
        body = json.finish()
    }

    package static func id(event: Int64, type: String) -> String {
        "evt_\(event)_\(type.replacing(".", with: "-"))"
    }

    /// The number of the event that an id or a number names.
    package static func event(in text: String) -> Int64? {
        guard text.hasPrefix("evt_") else { return Int64(text) }
        return text.dropFirst(4).split(separator: "_").first.flatMap { Int64($0) }
    }

    /// `webhook-signature`: one of each secret that is good now, the newest first.
    ///
    /// - Parameter seconds: `webhook-timestamp`, since 1970: when it is sent, so that nobody sends it again later.
    package func signature(at seconds: Int64, by secrets: [WebhookSecret]) -> String {
        var signed = ByteWriter(capacity: body.count + 96)
        signed.append(unescaped: id)
        signed.append(".")
        signed.append(decimal: seconds)
        signed.append(".")
        signed.append(bytes: body)
        return secrets.map { secret in
            let code = signed.withBytes { HMACSHA256(key: secret.bytes).code(of: $0) }
            return "v1," + String(decoding: Base64.encode(code.bytes), as: UTF8.self)
        }.joined(separator: " ")
    }
}
