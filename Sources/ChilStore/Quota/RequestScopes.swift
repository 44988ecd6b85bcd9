/// Whose requests a tenant has limits for.
package struct RequestScopes: Sendable, Equatable {
    package private(set) var tenant = false
    package private(set) var user = false

    init(of keys: [QuotaKey]) {
        for key in keys where key.metric == .requests {
            switch key.scope {
            case .tenant: tenant = true
            case .user: user = true
            case .printer: break
            }
        }
    }
}
