import ChilCore
import ChilHTTP
import Foundation
import Testing

@testable import ChilAPI

/// The service's document, and what answers differ from it in.
struct Contract: Sendable {
    static let current = Contract(ServedDocument.shared.bytes)

    let check: SchemaCheck
    var document: JSONValue { check.document }

    init(_ bytes: [UInt8]) {
        let limits = JSONLimits(bytesMax: 4 << 20, depthMax: 64, valuesMax: 1 << 20)
        let document = try? StrictJSON.parse(bytes, limits: limits)
        check = SchemaCheck(document: document ?? .null)
    }

    /// What stands in the document for a route; nil for none.
    func operation(of route: Route) -> JSONObject? {
        let pattern = RoutePattern(route.pattern)
        return document.object?["paths"]?.object?[pattern.path]?.object?[
            pattern.method.name.description.lowercased()
        ]?.object
    }

    /// What a client asked, as far as it is known.
    struct Question: Sendable {
        let method: String
        let target: String
        /// Nil: not known.
        var body: [UInt8]?
        var mediaType: String?

        init(method: String, target: String) {
            self.method = method
            self.target = target
        }

        init(_ request: Request) {
            self.init(method: request.method, target: request.path)
            body = request.body
            mediaType = request.fields.first { $0.name.lowercased() == "content-type" }?.value
        }

        var path: [UInt8] { Array(target.utf8.prefix { $0 != UInt8(ascii: "?") }) }

        /// Which route it is for.
        var place: RouteTable.Answer {
            let name = method
            let known: ChilHTTP.Method = ChilHTTP.Method.allCases.first { "\($0.name)" == name } ?? .other
            return path.withUnsafeBytes { Route.router.table.find(known, $0, from: 0) }
        }
    }

    /// - Parameter question: nil where it is not known: then only what holds for each answer is asked for.
    func faults(in answer: Answer, to question: Question?) -> [String] {
        guard answer.status >= 200 else { return [] }
        guard let question else { return faultsOfAny(answer) }
        switch question.place {
        case .route(let number, _):
            let route = Route.numbered[number]
            guard let operation = operation(of: route) else { return ["\(route) is not in the document"] }
            guard let form = form(answer.status, of: operation) else {
                return ["\(answer.status) is not among what \(route) answers: \(answer.text.prefix(300))"]
            }
            return faults(in: answer, by: form, isHead: question.method == "HEAD")
                + faults(in: question, answeredBy: answer, of: operation)
        case .otherMethod where question.method == "OPTIONS" && answer.status == 204:
            return answer["Allow"] == nil ? ["OPTIONS without Allow"] : []
        case .otherMethod where answer.status == 405:
            guard let form = check.target(of: "#/components/responses/405.method-not-allowed")?.object else {
                return ["no 405 in the document"]
            }
            return faults(in: answer, by: form, isHead: question.method == "HEAD")
        case .otherMethod, .unknownPath: return faultsOfAny(answer)
        }
    }

    private func form(_ status: Int, of operation: JSONObject) -> JSONObject? {
        guard let form = operation["responses"]?.object?[String(status)]?.object else { return nil }
        guard let name = form["$ref"]?.string else { return form }
        return check.target(of: name)?.object
    }

    private func faultsOfAny(_ answer: Answer) -> [String] {
        guard answer["Content-Type"] == "application/problem+json", !answer.body.isEmpty else { return [] }
        guard let schema = check.target(of: "#/components/schemas/Problem") else {
            return ["no Problem in the document"]
        }
        return faults(in: answer.body, by: schema)
    }

    private func faults(in answer: Answer, by form: JSONObject, isHead: Bool) -> [String] {
        let documented = form["headers"]?.object?.members ?? []
        var faults = answer.fields.map { $0.name.lowercased() }.filter { name in
            !Self.ofMessages.contains(name) && !documented.contains { $0.name.lowercased() == name }
        }.map { "undocumented field \($0)" }
        for field in documented {
            guard let value = answer[field.name] else {
                if field.value.object?["required"]?.bool == true { faults.append("no field \(field.name)") }
                continue
            }
            guard let schema = field.value.object?["schema"] else { continue }
            faults += check.faults(of: .string(value), by: schema, at: field.name)
        }
        let contents = form["content"]?.object
        guard let type = answer["Content-Type"] else {
            return faults + (contents == nil && answer.body.isEmpty ? [] : ["no Content-Type"])
        }
        guard let content = contents?[type]?.object else { return faults + ["undocumented media type \(type)"] }
        guard !isHead, let schema = content["schema"] else { return faults }
        if type.hasPrefix("text/") { return faults + check.faults(of: .string(answer.text), by: schema) }
        return faults + self.faults(in: answer.body, by: schema)
    }

    private func faults(in body: [UInt8], by schema: JSONValue) -> [String] {
        let limits = JSONLimits(bytesMax: 4 << 20, depthMax: 64, valuesMax: 1 << 20)
        do {
            return check.faults(of: try StrictJSON.parse(body, limits: limits), by: schema)
        } catch {
            return ["no strict JSON: \(error)"]
        }
    }

    /// What was taken must be what the document lets one send.
    private func faults(in question: Question, answeredBy answer: Answer, of operation: JSONObject) -> [String] {
        guard 200..<300 ~= answer.status, let body = question.body, let type = question.mediaType,
            let contents = operation["requestBody"]?.object?["content"]?.object
        else { return [] }
        let essence = type.split(separator: ";")[0].lowercased()
        guard essence.hasSuffix("json"), let schema = contents[essence]?.object?["schema"] else { return [] }
        return faults(in: body, by: schema).map { "taken though the document forbids it: \($0)" }
    }

    /// What messages have to be told apart by (RFC 9110 §6, RFC 9112), whatever they say.
    private static let ofMessages: Set<String> = [
        "date", "content-type", "content-length", "transfer-encoding", "connection",
    ]
}

/// Every answer that a test gets is held against the document. A fault is recorded once, wherever it comes first.
enum ContractWatch {
    private static let seen = Locked<(counts: [String: Int], faults: Set<String>)>(([:], []))

    static func see(_ answer: Answer, to question: Contract.Question?) {
        let kind = kind(of: answer, to: question)
        let count = seen.withLock { seen in
            seen.counts[kind, default: 0] += 1
            return seen.counts[kind, default: 0]
        }
        guard count <= wholly || count.isMultiple(of: then) else { return }
        for fault in Contract.current.faults(in: answer, to: question) {
            let text = "\(kind): \(fault)"
            let isNew = seen.withLock { $0.faults.insert(text).inserted }
            if isNew { Issue.record("the answer is not what /openapi.json says: \(text)") }
        }
    }

    private static func kind(of answer: Answer, to question: Contract.Question?) -> String {
        var kind = "\(answer.status) \(answer["Content-Type"] ?? "")"
        if let question, case .route(let number, _) = question.place {
            kind = "\(question.method) \(Route.numbered[number]) \(kind)"
        }
        return kind
    }

    /// So many answers of a kind are all looked at, and then some: storms of the same one have their time measured.
    private static let wholly = 500
    private static let then = 20
}

/// Reads the requests that a client writes, so that the answers can be told whose they are.
struct AskedQuestions {
    private var unread: [UInt8] = []
    private var bodyLeft = 0
    private var isLost = false
    private var questions: [Contract.Question] = []

    mutating func written(_ bytes: [UInt8]) {
        guard !isLost else { return }
        let skipped = min(bodyLeft, bytes.count)
        bodyLeft -= skipped
        unread += bytes.dropFirst(skipped)
        while !unread.isEmpty, let end = Self.headEnd(in: unread) {
            let head = String(decoding: unread[..<end], as: UTF8.self)
            let lines = head.components(separatedBy: "\r\n")
            let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
            let fields = lines.dropFirst().map { $0.lowercased() }
            let lengths = fields.filter { $0.hasPrefix("content-length:") }.map {
                Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces))
            }
            let isChunked = fields.contains { $0.hasPrefix("transfer-encoding:") }
            guard words.count == 3, words[1].hasPrefix("/"), !isChunked, lengths.count < 2, lengths.first != .some(nil)
            else { return lose() }
            questions.append(Contract.Question(method: String(words[0]), target: String(words[1])))
            unread.removeSubrange(..<(end + 4))
            let body = (lengths.first ?? 0) ?? 0
            let here = min(body, unread.count)
            unread.removeSubrange(..<here)
            bodyLeft = body - here
        }
        // A head is never so long: what comes is none.
        if unread.count > 1 << 16 { lose() }
    }

    mutating func next() -> Contract.Question? {
        questions.isEmpty ? nil : questions.removeFirst()
    }

    private mutating func lose() {
        isLost = true
        unread = []
    }

    private static func headEnd(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(bytes.count - 4)).first { start in
            bytes[start] == 13 && bytes[start + 1] == 10 && bytes[start + 2] == 13 && bytes[start + 3] == 10
        }
    }
}
