import ChilCore
import ChilStore

/// What the tenant commands need.
protocol TenantServices {
    /// Makes the tenant and its ES256 signing key, sealed under the key file.
    func createTenant(_ draft: TenantDraft) async throws(AdminFault) -> TenantRow
    /// All tenants by slug.
    func tenants() async throws(AdminFault) -> [TenantRow]
    func tenant(_ slug: Slug) async throws(AdminFault) -> TenantRow
    /// Sets the state; setting the state it has is no error and no audit entry.
    func setTenant(_ slug: Slug, to state: TenantRecord.State) async throws(AdminFault) -> TenantRow
    /// Suspends it; it goes in seven days.
    func scheduleEnd(of slug: Slug) async throws(AdminFault) -> TenantEndRow
    /// Deletes a suspended tenant with all it has.
    func deleteTenant(_ slug: Slug) async throws(AdminFault) -> TenantEndRow
    /// Changes all of it or nothing.
    func changeTenant(_ draft: TenantSettingsDraft, of slug: Slug) async throws(AdminFault) -> TenantRow
    func setGuest(_ draft: GuestDraft, of slug: Slug) async throws(AdminFault) -> TenantRow
    func setPrinting(_ draft: PrintingDraft, of slug: Slug) async throws(AdminFault) -> TenantRow
}

/// A tenant to be made.
struct TenantDraft: Equatable, Sendable {
    let slug: Slug
    let name: DisplayName
    let isGuestServed: Bool
    /// An IANA name that PostgreSQL knows.
    let timeZone: String
}
