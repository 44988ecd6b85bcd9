import ChilCore
import ChilDatabase
import ChilStore

/// What goes wrong for single tenants in a pass over all of them: it is logged, and those behind have their turn all the same.
struct TenantFaults {
    /// Of one pass: a schema that is too old is everybody's fault.
    private static let loggedMax = 10

    private let log: ServiceLog
    private let message: StaticString
    private(set) var count = 0

    init(_ message: StaticString, _ log: ServiceLog) {
        self.message = message
        self.log = log
    }

    /// - Throws: the error, if it would be the same for the next tenant.
    mutating func add(_ error: any Error, of tenant: TenantID) throws {
        if let error = error as? DatabaseError, error.code == .unavailable || error.code == .overloaded { throw error }
        count += 1
        guard count <= Self.loggedMax else { return }
        log.write(.warning, message, [("tenant", "\(tenant.rawValue)"), ("error", String(reason: error))])
    }
}
