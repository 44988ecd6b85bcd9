/// How an endpoint goes wrong.
package enum IssuerFault: Equatable, Sendable {
    /// Nothing is done, and the answer is 500 with a page.
    case error500
    /// Nothing is done, and the answer is 503.
    case error503
    /// 200 with a page of HTML.
    case html
    /// 200 with nothing.
    case empty
    /// 200 with `{}`.
    case emptyObject
    /// 200 with ten million bytes.
    case huge
    /// 200 with a byte a second.
    case drip
    /// 302 to another place.
    case redirect(String)
    /// 200 with a body that says it is compressed, though nobody asked for that.
    case gzip
    /// All is done, and the connection breaks before the answer.
    case cutOff
    /// All is done, and the answer comes late.
    case slow(Duration)
    /// Nothing is done, and there is an answer as the provider gives it when it cannot (`error`).
    case refusal(String)
}

extension IssuerFault {
    /// What it is called in `/dev/fail`.
    enum Name: String, CaseIterable, Sendable {
        case error500 = "error-500"
        case error503 = "error-503"
        case html, empty
        case emptyObject = "empty-object"
        case huge, drip, redirect, gzip
        case cutOff = "cut-off"
        case slow, refusal

        func fault(_ length: Duration, _ target: String, _ code: String) -> IssuerFault {
            switch self {
            case .error500: .error500
            case .error503: .error503
            case .html: .html
            case .empty: .empty
            case .emptyObject: .emptyObject
            case .huge: .huge
            case .drip: .drip
            case .redirect: .redirect(target)
            case .gzip: .gzip
            case .cutOff: .cutOff
            case .slow: .slow(length)
            case .refusal: .refusal(code)
            }
        }
    }
}

/// What is to go wrong next.
struct FaultPlan: Sendable {
    private var planned: [IssuerEndpoint: [(fault: IssuerFault, left: Int)]] = [:]

    mutating func plan(_ endpoint: IssuerEndpoint, _ fault: IssuerFault, _ times: Int) {
        guard times > 0 else { return }
        planned[endpoint, default: []].append((fault, times))
    }

    /// The fault of the next request, if it has one.
    mutating func take(_ endpoint: IssuerEndpoint) -> IssuerFault? {
        guard let next = planned[endpoint]?.first else { return nil }
        if next.left == 1 {
            planned[endpoint]?.removeFirst()
        } else {
            planned[endpoint]?[0].left -= 1
        }
        return next.fault
    }

}
