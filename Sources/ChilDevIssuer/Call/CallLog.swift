/// One request, without its secrets.
package struct IssuerCall: Equatable, Sendable {
    package let endpoint: IssuerEndpoint
    package let clientID: String?
    package let grantType: String?
    package let redirectURI: String?
    /// The code of the refusal; nil: it was granted.
    package let error: String?
}

/// The last requests, and no more of them than tests look at.
struct CallLog: Sendable {
    private var last: [IssuerCall] = []
    private static let countMax = 2_000

    mutating func add(_ call: IssuerCall) {
        if last.count == Self.countMax { last.removeFirst(Self.countMax / 2) }
        last.append(call)
    }

    func calls(of endpoint: IssuerEndpoint) -> [IssuerCall] {
        last.filter { $0.endpoint == endpoint }
    }
}
