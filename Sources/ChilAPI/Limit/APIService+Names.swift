import ChilCore
import ChilStore

extension APIService {
    /// As `lookUp`; but whoever may ask for no more names that nobody has still gets those that somebody has: they are looked up a few at a
    /// time. Many people share an address behind a proxy, and after a start no tenant is known.
    func lookUpPatiently(_ slug: String, _ address: NetworkAddress, _ admission: Admission) async throws
        -> TenantContext
    {
        do {
            return try await lookUp(slug, address, admission)
        } catch let refused as Problem where refused.code == .rateLimited {
            guard await nameQueue.enter() else { throw refused }
            defer { nameQueue.leave() }
            do {
                let tenant = try await tenants.tenant(slug)
                admission.reset()
                return tenant
            } catch let problem as Problem where problem.code == .notFound {
                throw refused
            }
        }
    }
}

/// Lets a few in at a time, in their order, and as many wait as are soon let in. Not `Sendable`: a loop's.
final class NameQueue {
    private var inside = 0
    private var waiters: [UnsafeContinuation<Void, Never>] = []

    /// False: too many wait. Whoever is let in leaves.
    func enter() async -> Bool {
        if inside < Self.insideMax {
            inside += 1
            return true
        }
        guard waiters.count < Self.waitersMax else { return false }
        // Whoever leaves hands the place over.
        await withUnsafeContinuation { waiters.append($0) }
        return true
    }

    func leave() {
        if waiters.isEmpty {
            inside -= 1
        } else {
            waiters.removeFirst().resume()
        }
    }

    private static let insideMax = 4
    private static let waitersMax = 256
}
