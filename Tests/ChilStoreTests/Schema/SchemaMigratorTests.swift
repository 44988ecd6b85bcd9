import ChilDatabase
import ChilLoop
import ChilStore
import ChilTestSupport
import Testing

@Suite struct SchemaMigratorTests {
    /// Two at once on an empty database, then one more: each migration ran exactly once, and nobody failed.
    @Test func twoMigratorsDoTheWorkOnce() async throws {
        let name = try await TestCluster.makeDatabase("chil_store")
        let scripts = DatabaseScript(url: try TestCluster.url(database: name))
        // The roles are the cluster's: made by whoever comes first.
        _ = try await sharedDatabaseName.value
        async let first = SchemaMigrator(scripts: scripts).migrate()
        async let second = SchemaMigrator(scripts: scripts).migrate()
        let both = try await (first, second)
        let third = try await SchemaMigrator(scripts: scripts).migrate()

        #expect(
            both.0.map(\.name) == [
                "m0001_core", "m0002_walls", "m0003_decisions", "m0004_printing", "m0005_accounts", "m0006_codes",
                "m0007_sessions", "m0008_account_end", "m0009_events", "m0010_transfer",
                "m0011_code_binding", "m0012_quotas", "m0013_audit_chain", "m0014_webhooks",
                "m0015_idempotency", "m0016_rate_limits", "m0017_consent", "m0018_retention",
                "m0019_distribution", "m0020_reservations", "m0021_plans", "m0023_request_leases",
                "m0024_image_jobs", "m0026_scans", "m0027_live", "m0028_image_objects", "m0029_thumbnails",
                "m0030_print_lines", "m0031_printer_certificates", "m0032_epson", "m0033_pages",
                "m0034_service_beats",
                "m0035_tenant_purge",
                "m0036_epson_notices",
                "m0037_printer_upload",
                "m0038_watching",
            ]
        )
        #expect(zip(both.0, both.1).allSatisfy { $0.isNew != $1.isNew })
        #expect(third.allSatisfy { !$0.isNew })

        let thread = try LoopThread()
        let service = SharedDatabase(
            DatabaseConfiguration(url: try TestCluster.url(database: name, role: "chil_service")),
            on: thread.loop
        )
        #expect(try await service.run(SchemaVersion(), .read, of: nil) == [SchemaVersion.needed])
        await service.close()
        thread.loop.stop()
    }
}
