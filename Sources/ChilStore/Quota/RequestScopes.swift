/// Whose requests a tenant has limits for.
package struct RequestScopes: OptionSet, Sendable {
    package let rawValue: UInt8

    package static let tenant = Self(rawValue: 1)
    package static let user = Self(rawValue: 2)

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(of keys: [QuotaKey]) {
        self = []
        for key in keys where key.metric == .requests {
            switch key.scope {
            case .tenant: insert(.tenant)
            case .user: insert(.user)
            case .printer: break
            }
        }
    }
}
