/// Why an operation did not succeed, by what can be done about it.
package enum PrintFailure: Error, Hashable, Sendable {
    /// Nothing was sent.
    case unreachable(detail: String)
    /// Something was sent; whether it was done is not known.
    case answerLost(detail: String)
    case busy
    case notAccepting
    /// An error of the printer that passes (RFC 8011 §B.1.5: internal, device, temporary).
    case temporary(status: UInt16)
    case notFound
    /// HTTP 404: the address's path is wrong, which says nothing about a job.
    case noSuchResource
    /// The target's state forbids it: a job that is over can't be canceled.
    case notPossible
    case forbidden
    /// Plain `ipp` where the printer wants TLS (HTTP 426).
    case secureOnly
    /// The printer shows another certificate than the one that was trusted; nothing was sent.
    case certificateChanged
    /// The printer's certificate is past its time; nothing was sent.
    case certificateExpired
    case formatUnsupported
    case attributesUnsupported
    case versionUnsupported
    case operationUnsupported
    case tooLarge
    /// The printer took the document and can't print it.
    case documentRefused
    /// The job was canceled at the printer while the document was on its way.
    case jobCanceled
    /// The job has its document already (server-error-multiple-document-jobs-not-supported).
    case documentAlreadySent
    case badRequest
    case other(status: UInt16)

    /// Whether the same request may succeed later without anybody changing anything.
    package var isRetryable: Bool {
        switch self {
        case .unreachable, .answerLost, .busy, .notAccepting, .temporary: true
        case .notFound, .noSuchResource, .notPossible, .forbidden, .secureOnly, .certificateChanged,
            .certificateExpired,
            .formatUnsupported, .attributesUnsupported,
            .versionUnsupported, .operationUnsupported, .tooLarge, .documentRefused, .jobCanceled,
            .documentAlreadySent, .badRequest, .other:
            false
        }
    }

    /// For the operator, with what to do.
    package var sentence: String {
        switch self {
        case .unreachable(let detail): "The printer can't be reached (\(detail)); check its power, network and address."
        case .answerLost(let detail): "The printer's answer was lost (\(detail)); check the network."
        case .busy: "The printer is busy; it is tried again."
        case .notAccepting: "The printer accepts no jobs; let it accept them again."
        case .temporary(let status): "The printer reports a fault (\(Self.hex(status))); look at its panel."
        case .notFound: "The printer knows no such queue or job; check the path of its address."
        case .noSuchResource: "The printer has nothing at this path; correct its address, often to /ipp/print."
        case .notPossible: "The printer says that this is not possible now; look at the job's state."
        case .forbidden: "The printer refuses this service; allow it there."
        case .secureOnly: "The printer wants TLS; change its address to ipps://."
        case .certificateChanged:
            "The printer shows another certificate than before; see that it is the printer, and `chiladmin printer trust` it."
        case .certificateExpired:
            "The printer's certificate is past its time; renew it there, or `chiladmin printer trust` it as it is."
        case .formatUnsupported: "The printer takes no PDF; use one that does."
        case .attributesUnsupported:
            "The printer refuses the paper or another attribute; load A4 and check its settings."
        case .versionUnsupported: "The printer speaks neither IPP 2.0, 1.1 nor 1.0; update its firmware."
        case .operationUnsupported: "The printer lacks an operation of IPP that is needed; use another."
        case .tooLarge: "The page is too large for the printer; print a smaller picture."
        case .documentRefused: "The printer can't print this page; try another picture."
        case .jobCanceled: "The job was canceled at the printer; print again if you still want it."
        case .documentAlreadySent: "The printer has the document already; wait for it."
        case .badRequest: "The printer does not understand the request; update its firmware."
        case .other(let status): "The printer refuses (\(Self.hex(status))); look the status up in RFC 8011."
        }
    }

    private static func hex(_ status: UInt16) -> String {
        let digits = String(status, radix: 16)
        return "0x" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}
