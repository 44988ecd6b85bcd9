/// Why Epson Connect did not do what it was asked.
package enum EpsonFault: Error, Hashable, Sendable {
    /// Nothing was sent.
    case unreachable(String)
    /// Something was sent; whether it was done is not known.
    case answerLost(String)
    /// It answered, and refuses.
    case refused(status: Int, code: String)
    /// The client's id, secret or API key is none of Epson's.
    case badClient(String)
    /// The printer's owner has to allow it: there is no token without that.
    case notAllowed(String)
    /// What this side knows of the printer is of no use: `detail` says what to do.
    case misconfigured(String)
    /// Where tokens are kept does not answer.
    case noStore(String)
    /// Another process is getting a token, and takes long.
    case busy

    /// What is kept beside the account, and shown to the operator.
    package static let reauthorizationRequired = "reauthorization-required"
    package static let clientRefused = "client-refused"

    package var code: String? {
        if case .refused(_, let code) = self { code } else { nil }
    }

    /// Whether the access token is of no use any more, says the service (generation 1 says it with 402 too).
    var isTokenRefused: Bool {
        guard case .refused(let status, let code) = self else { return false }
        return status == 401 || status == 402 || code == "access_token_verification_failed"
    }

    /// It has had enough for now. A refusal like others by its status.
    package var isTooOften: Bool {
        guard case .refused(let status, let code) = self else { return false }
        return status == 429 || code == "rate_limit_exceeded" || code == "job_limit_exceeded"
    }

    /// For the operator, with what to do.
    package var sentence: String {
        switch self {
        case .unreachable(let detail):
            "Epson Connect can't be reached (\(detail)); check this machine's way to the internet."
        case .answerLost(let detail): "Epson Connect's answer was lost (\(detail)); look again in a moment."
        case .badClient(let detail):
            "Epson Connect does not know this client (\(detail)); check its id, secret and API key at Epson's developer site."
        case .notAllowed(let detail):
            "Epson Connect gives no token (\(detail)): check the printer's address and that its owner allows remote printing, "
                + "or have the owner give permission again by `chiladmin printer authorize`."
        case .misconfigured(let detail): detail
        case .noStore(let detail): "The database did not answer (\(detail)); it is tried again."
        case .busy: "Another process is getting a token; try again in a moment."
        case .refused(let status, let code): Self.sentence(status, code)
        }
    }

    private static func sentence(_ status: Int, _ code: String) -> String {
        switch code {
        case "rate_limit_exceeded", "job_limit_exceeded": "Epson Connect was asked too often (\(code)); wait a while."
        case "device_not_found", "not_found":
            "Epson Connect knows no such printer or job (\(code)); register the printer at Epson Connect."
        case "invalid_print_settings", "validation_error":
            "Epson Connect refuses the paper or another setting (\(code)); load paper that the printer says it takes."
        case "invalid_print_data": "Epson Connect can't print this page (\(code)); try another picture."
        case "duplicate_alias", "duplicate_alias_name":
            "A destination of that name is there already (\(code)); choose another name, or remove it at Epson Connect."
        case "destination_limit_exceeded":
            "The printer has as many scan destinations as it may (\(code)); remove one at Epson Connect."
        case "destination_not_found": "Epson Connect has no such scan destination (\(code)); it was removed there."
        default: "Epson Connect refuses (\(status) \(code)); docs/epson.md says what that means."
        }
    }
}
