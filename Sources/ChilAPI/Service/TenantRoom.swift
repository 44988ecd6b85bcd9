import ChilCore

/// How much of something may go on at once: so much in all, and so much of one tenant's, so that what is slow with one keeps nobody
/// else's out. Whoever takes a place gives it back.
struct TenantRoom {
    private let placesMax: Int
    private let placesOfTenantMax: Int
    private var taken = 0
    private var takenByTenant: [TenantID: Int] = [:]

    init(placesMax: Int, placesOfTenantMax: Int) {
        self.placesMax = placesMax
        self.placesOfTenantMax = placesOfTenantMax
    }

    func isFull(for tenant: TenantID) -> Bool {
        taken >= placesMax || takenByTenant[tenant, default: 0] >= placesOfTenantMax
    }

    /// False: there is none left.
    mutating func take(for tenant: TenantID) -> Bool {
        guard !isFull(for: tenant) else { return false }
        taken += 1
        takenByTenant[tenant, default: 0] += 1
        return true
    }

    mutating func giveBack(of tenant: TenantID) {
        guard let count = takenByTenant[tenant] else { return }
        taken -= 1
        takenByTenant[tenant] = count > 1 ? count - 1 : nil
    }
}
