extension PrintFailure {
    /// By RFC 8011 Appendix B; `nil` for the successful ones, that is below 0x0100.
    package init?(status: UInt16) {
        switch status {
        case 0x0000..<0x0100: return nil
        case 0x0400, 0x040D: self = .badRequest
        case 0x0401, 0x0402, 0x0403: self = .forbidden
        case 0x0404: self = .notPossible
        case 0x0405: self = .temporary(status: status)
        case 0x0406, 0x0407: self = .notFound
        case 0x0408: self = .tooLarge
        case 0x040A, 0x040F: self = .formatUnsupported
        // Of attributes that exclude each other some are named, as of those that are not known.
        case 0x040B, 0x040E: self = .attributesUnsupported
        case 0x0411, 0x0412, 0x041B: self = .documentRefused
        case 0x0500, 0x0504, 0x0505: self = .temporary(status: status)
        case 0x0501: self = .operationUnsupported
        case 0x0502, 0x0507: self = .busy
        case 0x0503: self = .versionUnsupported
        case 0x0506: self = .notAccepting
        case 0x0508: self = .jobCanceled
        case 0x0509: self = .documentAlreadySent
        default: self = .other(status: status)
        }
    }

    init(_ error: IPPTransportError) {
        switch error {
        case .notSent(let detail): self = .unreachable(detail: detail)
        case .answerLost(let detail): self = .answerLost(detail: detail)
        case .certificateChanged: self = .certificateChanged
        case .certificateExpired: self = .certificateExpired
        case .httpStatus(let status):
            switch status {
            case 401, 403, 407: self = .forbidden
            case 404, 410: self = .noSuchResource
            case 413: self = .tooLarge
            case 426: self = .secureOnly
            case 503, 429: self = .busy
            case 400...499: self = .badRequest
            // A gateway in between may have passed the request on.
            default: self = .answerLost(detail: "HTTP \(status)")
            }
        }
    }
}
