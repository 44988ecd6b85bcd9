import Foundation

/// A request as it is written on the wire.
struct Request: Sendable {
    var method: String
    var path: String
    var fields: [(name: String, value: String)] = []
    var body: [UInt8]?

    init(_ method: String, _ path: String, bearer: String? = nil) {
        self.method = method
        self.path = path
        if let bearer { fields.append(("Authorization", "Bearer \(bearer)")) }
    }

    /// With a body of JSON, as text so that bad JSON can be sent too.
    init(_ method: String, _ path: String, bearer: String? = nil, json: String) {
        self.init(method, path, bearer: bearer)
        fields.append(("Content-Type", "application/json"))
        body = Array(json.utf8)
    }

    init(_ method: String, _ path: String, bearer: String? = nil, type: String, body: [UInt8]) {
        self.init(method, path, bearer: bearer)
        fields.append(("Content-Type", type))
        self.body = body
    }

    func adding(_ name: String, _ value: String) -> Request {
        var request = self
        request.fields.append((name, value))
        return request
    }

    /// The head, and the body behind it.
    var bytes: [UInt8] {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: elsewhere.example\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        if let body, !fields.contains(where: { $0.name == "Content-Length" }) {
            head += "Content-Length: \(body.count)\r\n"
        }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }
}
