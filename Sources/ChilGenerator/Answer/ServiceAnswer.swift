import ChilCore
package import ChilHTTP

/// What a service answered, read.
package enum ServiceAnswer: Equatable, Sendable {
    case picture([UInt8], revisedPrompt: String?)
    /// Where the picture is to be had.
    case link(String, revisedPrompt: String?)
    /// It is nothing for children, it says: final.
    case refused
    /// Anything else. `isPassing`: a later attempt may do better.
    case fault(String, isPassing: Bool, retryAfter: Duration?)

    /// A picture of 12 MiB in base64, and what is around it.
    package static let bytesMax = 17 << 20
    package static let pictureBytesMax = 12 << 20
    private static let limits = JSONLimits(bytesMax: bytesMax, depthMax: 16, valuesMax: 4_096)
    private static let revisedPromptBytesMax = 8_000
    private static let saidCharactersMax = 200

    package init(_ kind: ServiceKind, _ response: ClientResponse) {
        self.init(
            kind,
            status: response.statusCode,
            body: response.body,
            retryAfter: response.head.field("retry-after").flatMap { String(validating: $0, as: UTF8.self) }
        )
    }

    /// - Parameter retryAfter: the field's value; seconds are read, dates are not.
    package init(_ kind: ServiceKind, status: Int, body: [UInt8], retryAfter: String? = nil) {
        let object = try? StrictJSON.parse(body, limits: Self.limits).object
        if status == 200 || status == 201, let object {
            if let made = Self.made(kind, object) {
                self = made
                return
            }
        }
        let said = object.map(Self.said) ?? Said()
        if said.isModeration {
            self = .refused
            return
        }
        let pause = retryAfter.flatMap { Int64($0) }.flatMap { $0 >= 0 ? Duration.seconds($0) : nil }
        switch status {
        case 200, 201:
            self = .fault("it answered \(status) without a picture\(said.quoted)", isPassing: true, retryAfter: nil)
        case 300...399:
            self = .fault("it answered \(status): give the URL that it is really at", isPassing: false, retryAfter: nil)
        case 401, 403:
            self = .fault(
                "it answered \(status): check its key and what that may do\(said.quoted)",
                isPassing: false,
                retryAfter: nil
            )
        case 404, 405:
            self = .fault(
                "it answered \(status): check its URL and model\(said.quoted)",
                isPassing: false,
                retryAfter: nil
            )
        case 408, 409, 425, 429, 500...599:
            self = .fault("it answered \(status)\(said.quoted)", isPassing: true, retryAfter: pause)
        default:
            self = .fault("it answered \(status)\(said.quoted)", isPassing: false, retryAfter: pause)
        }
    }

    private static func made(_ kind: ServiceKind, _ object: JSONObject) -> Self? {
        switch kind {
        case .openai, .localai, .sdcpp:
            guard let first = object["data"]?.array?.first?.object else { return nil }
            let revised = first["revised_prompt"]?.string.map(Self.kept)
            if let text = first["b64_json"]?.string, !text.isEmpty {
                guard let bytes = base64(text) else { return nil }
                return .picture(bytes, revisedPrompt: revised)
            }
            return first["url"]?.string.flatMap { $0.isEmpty ? nil : .link($0, revisedPrompt: revised) }
        case .automatic1111:
            guard let text = object["images"]?.array?.first?.string, let bytes = base64(text) else { return nil }
            return .picture(bytes, revisedPrompt: nil)
        }
    }

    /// Some put `data:image/png;base64,` in front.
    private static func base64(_ text: String) -> [UInt8]? {
        guard text.hasPrefix("data:") else { return Base64.decode(text) }
        guard let comma = text.prefix(64).firstIndex(of: ",") else { return nil }
        return Base64.decode(String(text[text.index(after: comma)...]))
    }

    private static func kept(_ text: String) -> String {
        var cut = text.plain
        while cut.utf8.count > revisedPromptBytesMax {
            cut.removeLast(max(1, (cut.utf8.count - revisedPromptBytesMax) / 8))
        }
        return cut
    }

    // MARK: What an error says

    private struct Said {
        var message = ""
        var words: [String] = []

        var isModeration: Bool {
            words.contains { word in ServiceAnswer.moderationWords.contains { $0.isExactly(word) } }
                || ServiceAnswer.moderationPhrases.contains { message.lowercased().contains($0) }
        }

        var quoted: String {
            message.isEmpty ? "" : ": '\(String(message.plain.prefix(ServiceAnswer.saidCharactersMax)))'"
        }
    }

    private static let moderationWords = [
        "moderation_blocked", "content_policy_violation", "image_generation_user_error", "content_filter",
        "ResponsibleAIPolicyViolation",
    ]
    private static let moderationPhrases = ["safety system", "content policy"]

    /// Three shapes: `{"error":{"code","type","message"}}`, `{"error":"…"}`, `{"detail":"…"}` or `{"detail":[{"msg":"…"}]}`.
    private static func said(_ object: JSONObject) -> Said {
        var said = Said()
        switch object["error"] {
        case .string(let text)?: said.message = text
        case .object(let error)?:
            said.message = error["message"]?.string ?? ""
            said.words = ["code", "type"].compactMap { error[$0]?.string }
        default: break
        }
        switch object["detail"] {
        case .string(let text)? where said.message.isEmpty: said.message = text
        case .array(let faults)? where said.message.isEmpty:
            said.message = faults.prefix(3).compactMap { $0.object?["msg"]?.string }.joined(separator: "; ")
        default: break
        }
        return said
    }
}
