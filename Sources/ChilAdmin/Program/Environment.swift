import Glibc

/// The environment's variables. Empty ones count as not set.
struct Environment: Sendable {
    private let lookUp: @Sendable (String) -> String?

    static let ofProcess = Environment { name in getenv(name).map { String(cString: $0) } }

    init(_ lookUp: @escaping @Sendable (String) -> String?) {
        self.lookUp = lookUp
    }

    subscript(name: String) -> String? {
        guard let value = lookUp(name), !value.isEmpty else { return nil }
        return value
    }

    /// An empty value too, for variables of which that says something.
    func given(_ name: String) -> String? { lookUp(name) }
}
