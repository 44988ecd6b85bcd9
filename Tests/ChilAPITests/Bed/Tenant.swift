/// A tenant of a bed. The issuer publishes its keys for each tenant under a path of the tenant's name, so that fetches are told
/// apart.
struct Tenant: Hashable, Sendable {
    static let north = Tenant(slug: "north")
    static let south = Tenant(slug: "south")

    let slug: String
    var clientID: String { "test.\(slug)" }
}
