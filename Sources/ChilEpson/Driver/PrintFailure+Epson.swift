package import ChilPrint

extension PrintFailure {
    /// What a fault means to a job that waits for an answer.
    package init(_ fault: EpsonFault) {
        switch fault {
        case .unreachable(let detail): self = .unreachable(detail: detail)
        case .answerLost(let detail): self = .answerLost(detail: detail)
        case .badClient, .notAllowed, .misconfigured: self = .forbidden
        case .busy, .noStore: self = .busy
        case .refused(let status, let code): self = Self.refusal(status, code, isTooOften: fault.isTooOften)
        }
    }

    private static func refusal(_ status: Int, _ code: String, isTooOften: Bool) -> Self {
        if isTooOften { return .busy }
        switch code {
        case "operation_not_allowed": return .notPossible
        case "invalid_print_settings", "validation_error", "not_supported": return .attributesUnsupported
        case "invalid_print_data": return .documentRefused
        // Of the printer, which says nothing about a job of its.
        case "device_not_found": return .noSuchResource
        default: break
        }
        switch status {
        case 401, 402, 403: return .forbidden
        case 404: return code.isEmpty ? .noSuchResource : .notFound
        case 413: return .tooLarge
        case 415: return .formatUnsupported
        case 503: return .busy
        case 500...599: return .temporary(status: 0x0500)
        default: return .badRequest
        }
    }
}
