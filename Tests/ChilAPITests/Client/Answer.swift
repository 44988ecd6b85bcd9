import Foundation
import Testing

/// An answer as it came.
struct Answer: Sendable {
    let status: Int
    let fields: [Field]
    let body: [UInt8]
    /// From the first byte sent to the last received.
    let elapsed: Duration

    struct Field: Hashable, Sendable {
        let name: String
        let value: String
    }

    subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The members of a body that is one JSON object.
    var members: [String: Any] {
        get throws {
            try #require(
                try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
                "no JSON object: \(text)"
            )
        }
    }

    func string(_ name: String) throws -> String {
        try #require(try members[name] as? String, "no string \(name) in \(text)")
    }

    func int(_ name: String) throws -> Int {
        try #require(try members[name] as? Int, "no integer \(name) in \(text)")
    }

    func array(_ name: String) throws -> [[String: Any]] {
        try #require(try members[name] as? [[String: Any]], "no array \(name) in \(text)")
    }

    /// What does not differ between two answers to the same question: all but the time, the request's id and what is left of a limit.
    var unvarying: [String] {
        var lines = fields.filter { !["Date", "X-Request-Id", "RateLimit"].contains($0.name) }.map {
            "\($0.name): \($0.value)"
        }
        lines.append(self["X-Request-Id"].map { text.replacingOccurrences(of: $0, with: "INSTANCE") } ?? text)
        return ["\(status)"] + lines
    }
}

/// A refusal as the contract has it: problem+json with this code, `instance` the request's id, and nothing that the first app
/// would take for a result.
func expectProblem(
    _ answer: Answer,
    _ status: Int,
    _ code: String,
    pointer: String? = nil,
    at location: SourceLocation = #_sourceLocation
) throws {
    #expect(answer.status == status, "\(answer.text)", sourceLocation: location)
    #expect(answer["Content-Type"] == "application/problem+json", sourceLocation: location)
    #expect(answer["Cache-Control"] == "no-store", sourceLocation: location)
    let members = try answer.members
    let allowed: Set = ["type", "title", "status", "detail", "code", "instance", "errors", "scope", "notice"]
    #expect(Set(members.keys).isSubset(of: allowed), sourceLocation: location)
    #expect(members["status"] as? Int == status, sourceLocation: location)
    #expect(members["code"] as? String == code, "\(answer.text)", sourceLocation: location)
    let instance = members["instance"] as? String
    #expect(instance?.utf8.count == 20 && instance == answer["X-Request-Id"], sourceLocation: location)
    let errors = members["errors"] as? [[String: Any]] ?? []
    for error in errors { #expect(Set(error.keys) == ["pointer", "detail"], sourceLocation: location) }
    if let pointer {
        #expect(errors.contains { $0["pointer"] as? String == pointer }, "\(answer.text)", sourceLocation: location)
    }
}
