/// The schema's scripts, compiled into the binary: nothing has to be shipped beside it.
package enum Schema {
    /// One numbered script, never edited after its release.
    package struct Migration: Sendable {
        package let version: Int
        package let name: String
        package let sql: String

        init(_ version: Int, _ name: String, _ bytes: [UInt8]) {
            self.version = version
            self.name = name
            sql = String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Roles and this database's grants: run by an administrator before the migrations, as often as you like.
    package static var roles: String { String(decoding: PackageResources.roles_sql, as: UTF8.self) }

    package static var migrations: [Migration] {
        [
            Migration(1, "m0001_core", PackageResources.m0001_core_sql),
            Migration(2, "m0002_walls", PackageResources.m0002_walls_sql),
            Migration(3, "m0003_decisions", PackageResources.m0003_decisions_sql),
            Migration(4, "m0004_printing", PackageResources.m0004_printing_sql),
            Migration(5, "m0005_accounts", PackageResources.m0005_accounts_sql),
            Migration(6, "m0006_codes", PackageResources.m0006_codes_sql),
            Migration(7, "m0007_sessions", PackageResources.m0007_sessions_sql),
            Migration(8, "m0008_account_end", PackageResources.m0008_account_end_sql),
            Migration(9, "m0009_events", PackageResources.m0009_events_sql),
            Migration(10, "m0010_transfer", PackageResources.m0010_transfer_sql),
            Migration(11, "m0011_code_binding", PackageResources.m0011_code_binding_sql),
            Migration(12, "m0012_quotas", PackageResources.m0012_quotas_sql),
            Migration(13, "m0013_audit_chain", PackageResources.m0013_audit_chain_sql),
            Migration(14, "m0014_webhooks", PackageResources.m0014_webhooks_sql),
            Migration(15, "m0015_idempotency", PackageResources.m0015_idempotency_sql),
            Migration(16, "m0016_rate_limits", PackageResources.m0016_rate_limits_sql),
            Migration(17, "m0017_consent", PackageResources.m0017_consent_sql),
            Migration(18, "m0018_retention", PackageResources.m0018_retention_sql),
            Migration(19, "m0019_distribution", PackageResources.m0019_distribution_sql),
            Migration(20, "m0020_reservations", PackageResources.m0020_reservations_sql),
            Migration(21, "m0021_plans", PackageResources.m0021_plans_sql),
            Migration(23, "m0023_request_leases", PackageResources.m0023_request_leases_sql),
            Migration(24, "m0024_image_jobs", PackageResources.m0024_image_jobs_sql),
            Migration(26, "m0026_scans", PackageResources.m0026_scans_sql),
            Migration(27, "m0027_live", PackageResources.m0027_live_sql),
            Migration(28, "m0028_image_objects", PackageResources.m0028_image_objects_sql),
            Migration(29, "m0029_thumbnails", PackageResources.m0029_thumbnails_sql),
            Migration(30, "m0030_print_lines", PackageResources.m0030_print_lines_sql),
            Migration(31, "m0031_printer_certificates", PackageResources.m0031_printer_certificates_sql),
            Migration(32, "m0032_epson", PackageResources.m0032_epson_sql),
            Migration(33, "m0033_pages", PackageResources.m0033_pages_sql),
            Migration(34, "m0034_service_beats", PackageResources.m0034_service_beats_sql),
            Migration(35, "m0035_tenant_purge", PackageResources.m0035_tenant_purge_sql),
            Migration(36, "m0036_epson_notices", PackageResources.m0036_epson_notices_sql),
            Migration(37, "m0037_printer_upload", PackageResources.m0037_printer_upload_sql),
            Migration(38, "m0038_watching", PackageResources.m0038_watching_sql),
        ]
    }

    /// What a program of this build needs at least.
    package static let version = 38
}
