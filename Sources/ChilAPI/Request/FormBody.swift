import ChilCore
import ChilHTTP

/// The parameters of a form's body. One that is empty counts as left out (RFC 6749 §3.2); unknown ones are ignored.
struct FormBody {
    private let items: QueryItems

    init(_ items: QueryItems) {
        self.items = items
    }

    /// Nil for one that is not there.
    ///
    /// - Throws: `OAuthError` for one that breaks the rule.
    func text(_ name: String, _ rule: TextRule) throws(OAuthError) -> String? {
        guard let value = items[name], !value.isEmpty else { return nil }
        if let fault = rule.fault(in: value) { throw .invalidRequest("\(name) \(fault).") }
        return value
    }

    /// One of which what nobody sees is left out (`String.plain`).
    func plainText(_ name: String, _ rule: TextRule) throws(OAuthError) -> String? {
        guard let value = items[name]?.plain, !value.isEmpty else { return nil }
        if let fault = rule.fault(in: value) { throw .invalidRequest("\(name) \(fault).") }
        return value
    }

    func requiredText(_ name: String, _ rule: TextRule) throws(OAuthError) -> String {
        guard let value = try text(name, rule) else { throw .invalidRequest("Send \(name).") }
        return value
    }
}

extension Call {
    static let formType = "application/x-www-form-urlencoded"

    /// The body as a form.
    ///
    /// - Throws: `Problem` for a message that breaks off or is too long, `OAuthError` for what is no form.
    func form() async throws -> FormBody {
        let body: [UInt8]
        do {
            body = try await exchange.body(atMost: Self.formBytesMax)
        } catch {
            throw Problem.rejected(error, bytesMax: Self.formBytesMax)
        }
        do {
            return FormBody(try QueryItems(body[...], isForm: true))
        } catch {
            throw OAuthError.invalidRequest("\(error.remedy)")
        }
    }

    private static let formBytesMax = 64 << 10
}
