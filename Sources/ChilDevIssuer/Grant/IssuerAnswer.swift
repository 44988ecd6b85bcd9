import ChilHTTP

/// An answer of a REST endpoint, before it is HTTP.
struct IssuerAnswer: Sendable {
    let status: Status
    let json: [UInt8]

    static func ok(_ members: JSONMembers) -> Self { Self(status: .ok, json: members.json()) }
    /// 200 without a body.
    static let done = Self(status: .ok, json: [])
}
