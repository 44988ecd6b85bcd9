/// Where the rows of a table lie once the database is spread over several machines by Citus.
///
/// A tenant's own tables (row security, `tenant_id`) are cut by tenant, all alike, so that a tenant's rows lie together. What no tenant
/// owns is named here: a table that is neither stops the distribution, and `GrowingRuleTests`.
package enum TablePlace: String, Sendable, CaseIterable {
    /// Cut by `tenant_id`.
    case tenant
    /// Whole on every machine: read by all, seldom written.
    case reference
    /// Whole on one machine: written often, by all tenants.
    case single
    /// On the coordinator alone: no service reads it.
    case local

    package static let named: [String: TablePlace] = [
        "tenant": .reference, "provider_client": .reference, "key_set": .reference, "ended_tenant": .reference,
        "quota_plan": .reference, "plan_quota": .reference, "retention_default": .reference,
        "work": .single, "loop_slot": .single, "rate_lease": .single, "service_beat": .single,
        "schema_migration": .local, "distribution_foreign_key": .local,
    ]

    /// - Parameter isWalled: whether the table has row security and a column `tenant_id`. `nil`: nobody has said where it goes.
    package init?(of table: String, isWalled: Bool) {
        guard let place = isWalled ? .tenant : Self.named[table] else { return nil }
        self = place
    }
}
