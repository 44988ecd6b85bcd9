// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// A module of the house. An arrow never points up: the list below is in the order of the floors.
func module(_ name: String, _ imports: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: imports, swiftSettings: strict)
}

func tests(_ name: String, _ imports: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: imports, exclude: exclude, swiftSettings: strict)
}

let package = Package(
    name: "ChilAPI",
    products: [
        .executable(name: "chilapi", targets: ["ChilAPI"]),
        .executable(name: "chiladmin", targets: ["ChilAdmin"]),
    ],
    targets: [
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        module("ChilCore"),
        module("ChilCrypto", ["ChilCore", "COpenSSL"]),
        module("ChilLoop", ["ChilCore", "ChilCrypto", "CLinux"]),
        module("ChilHTTP", ["ChilCore", "ChilCrypto", "ChilLoop", "CLinux"]),
        module("ChilDatabase", ["ChilCore", "ChilCrypto", "ChilLoop", "CPostgres"]),
        module("ChilAuth", ["ChilCore", "ChilCrypto"]),
        module("ChilOpenAPI", ["ChilCore"]),
        module("ChilConsole", ["ChilCore"]),
        .target(
            name: "ChilSchema",
            path: "sql",
            exclude: ["README.md"],
            resources: [
                .embedInCode("roles.sql"),
                .embedInCode("migrations/m0001_core.sql"),
                .embedInCode("migrations/m0002_walls.sql"),
                .embedInCode("migrations/m0003_decisions.sql"),
                .embedInCode("migrations/m0004_printing.sql"),
                .embedInCode("migrations/m0005_accounts.sql"),
                .embedInCode("migrations/m0006_codes.sql"),
                .embedInCode("migrations/m0007_sessions.sql"),
                .embedInCode("migrations/m0008_account_end.sql"),
                .embedInCode("migrations/m0009_events.sql"),
                .embedInCode("migrations/m0010_transfer.sql"),
                .embedInCode("migrations/m0011_code_binding.sql"),
                .embedInCode("migrations/m0012_quotas.sql"),
                .embedInCode("migrations/m0013_audit_chain.sql"),
                .embedInCode("migrations/m0014_webhooks.sql"),
                .embedInCode("migrations/m0015_idempotency.sql"),
                .embedInCode("migrations/m0016_rate_limits.sql"),
                .embedInCode("migrations/m0017_consent.sql"),
                .embedInCode("migrations/m0018_retention.sql"),
                .embedInCode("migrations/m0019_distribution.sql"),
                .embedInCode("migrations/m0020_reservations.sql"),
                .embedInCode("migrations/m0021_plans.sql"),
                .embedInCode("migrations/m0023_request_leases.sql"),
                .embedInCode("migrations/m0024_image_jobs.sql"),
                .embedInCode("migrations/m0026_scans.sql"),
                .embedInCode("migrations/m0027_live.sql"),
                .embedInCode("migrations/m0028_image_objects.sql"),
                .embedInCode("migrations/m0029_thumbnails.sql"),
                .embedInCode("migrations/m0030_print_lines.sql"),
                .embedInCode("migrations/m0031_printer_certificates.sql"),
                .embedInCode("migrations/m0032_epson.sql"),
                .embedInCode("migrations/m0033_pages.sql"),
                .embedInCode("migrations/m0034_service_beats.sql"),
                .embedInCode("migrations/m0035_tenant_purge.sql"),
                .embedInCode("migrations/m0036_epson_notices.sql"),
                .embedInCode("migrations/m0037_printer_upload.sql"),
                .embedInCode("migrations/m0038_watching.sql"),
            ],
            swiftSettings: strict
        ),
        module("ChilStore", ["ChilCore", "ChilCrypto", "ChilDatabase", "ChilSchema"]),
        module("ChilS3", ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilStore"]),
        module("ChilExport", ["ChilCore", "ChilDatabase", "ChilStore", "CZlib"]),
        module("ChilMedia", ["ChilCore", "ChilCrypto", "CZlib"]),
        module("ChilSketch", ["ChilMedia"]),
        module("ChilRaster", ["ChilCore", "CLinux"]),
        module("ChilPrint", ["ChilCore", "ChilCrypto", "ChilLoop", "ChilMedia", "ChilHTTP", "CZlib"]),
        module("ChilProvider", ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilAuth"]),
        module("ChilGenerator", ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilMedia", "ChilPrint"]),
        module("ChilWebhook", ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP"]),
        module("ChilMotion", ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilMedia"]),
        module(
            "ChilEpson",
            [
                "ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilAuth", "ChilDatabase", "ChilStore", "ChilMedia",
                "ChilPrint",
            ]
        ),
        // Stands in for the identity provider: for `chiladmin dev issuer` and the tests, never in the service.
        module("ChilDevIssuer", ["ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilAuth"]),
        // Stands in for a service that makes drawings move: for `chiladmin dev motion` and the tests, never in the service.
        module("ChilDevMotion", ["ChilCore", "ChilLoop", "ChilHTTP", "ChilMedia", "ChilMotion", "ChilPrint"]),
        // Stands in for Epson Connect: for `chiladmin dev epson` and the tests, never in the service.
        module("ChilDevEpson", ["ChilCore", "ChilLoop", "ChilHTTP"]),
        .executableTarget(
            name: "ChilAPI",
            dependencies: [
                "ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilDatabase", "ChilAuth", "ChilStore", "ChilMedia",
                "ChilPrint", "ChilRaster", "ChilProvider", "ChilGenerator", "ChilSketch", "ChilWebhook", "ChilExport",
                "ChilOpenAPI", "ChilS3", "ChilMotion", "ChilEpson", "CLinux",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ChilAdmin",
            dependencies: [
                "ChilCore", "ChilCrypto", "ChilLoop", "ChilHTTP", "ChilDatabase", "ChilAuth", "ChilStore", "ChilPrint",
                "ChilProvider", "ChilGenerator", "ChilSketch", "ChilWebhook", "ChilDevIssuer", "ChilExport",
                "ChilS3", "ChilMedia", "ChilMotion", "ChilDevMotion", "ChilRaster", "ChilEpson", "ChilDevEpson",
                "ChilConsole",
            ],
            swiftSettings: strict
        ),

        // A program for suites that probe servers from outside; not shipped.
        .executableTarget(
            name: "http-echo",
            dependencies: ["ChilHTTP", "ChilLoop"],
            path: "Tests/Programs/HTTPEcho",
            swiftSettings: strict
        ),

        .target(
            name: "ChilTestSupport",
            dependencies: ["ChilConsole", "ChilCore", "ChilDatabase", "ChilHTTP", "ChilLoop", "ChilStore"],
            path: "Tests/ChilTestSupport",
            swiftSettings: strict
        ),
        tests("RepositoryTests", []),
        tests("ChilCoreTests", ["ChilCore", "ChilTestSupport"]),
        tests("ChilCryptoTests", ["ChilCrypto", "ChilCore", "ChilTestSupport"]),
        tests("ChilAuthTests", ["ChilAuth", "ChilCrypto", "ChilCore", "ChilTestSupport"]),
        tests(
            "ChilProviderTests",
            ["ChilProvider", "ChilAuth", "ChilHTTP", "ChilLoop", "ChilCrypto", "ChilCore", "ChilTestSupport"]
        ),
        tests(
            "ChilWebhookTests",
            ["ChilWebhook", "ChilHTTP", "ChilLoop", "ChilCrypto", "ChilCore", "ChilTestSupport"]
        ),
        tests(
            "ChilGeneratorTests",
            [
                "ChilGenerator", "ChilMediaTestSupport", "ChilHTTP", "ChilLoop", "ChilCrypto", "ChilCore",
                "ChilTestSupport",
            ]
        ),
        tests(
            "ChilS3Tests",
            ["ChilS3", "ChilStore", "ChilHTTP", "ChilLoop", "ChilCrypto", "ChilCore", "ChilTestSupport"]
        ),
        tests(
            "ChilMotionTests",
            [
                "ChilMotion", "ChilDevMotion", "ChilMedia", "ChilMediaTestSupport", "ChilPrint", "ChilHTTP", "ChilLoop",
                "ChilCore", "ChilTestSupport",
            ]
        ),
        tests(
            "ChilEpsonTests",
            [
                "ChilEpson", "ChilDevEpson", "ChilPrint", "ChilMedia", "ChilHTTP", "ChilLoop", "ChilCrypto", "ChilCore",
                "ChilTestSupport",
            ]
        ),
        tests("ChilConsoleTests", ["ChilConsole", "ChilCore", "ChilTestSupport"], exclude: ["Screens"]),
        tests("ChilLoopTests", ["ChilLoop", "ChilCrypto", "ChilCore", "ChilTestSupport"]),
        tests("ChilHTTPTests", ["ChilHTTP", "ChilLoop", "ChilCrypto", "ChilCore", "ChilTestSupport"]),
        tests("ChilDatabaseTests", ["ChilDatabase", "ChilLoop", "ChilCore", "ChilTestSupport"]),
        tests(
            "ChilStoreTests",
            [
                "ChilStore", "ChilSchema", "ChilExport", "ChilAuth", "ChilDatabase", "ChilLoop", "ChilCore",
                "ChilCrypto",
                "ChilTestSupport",
            ]
        ),
        .target(name: "ChilMediaTestSupport", path: "Tests/ChilMediaTestSupport", swiftSettings: strict),
        // Printers that are played, and what stands between them and the service.
        .target(
            name: "ChilPrintTestSupport",
            dependencies: ["ChilPrint", "ChilMedia", "ChilCore"],
            path: "Tests/ChilPrintTestSupport",
            swiftSettings: strict
        ),
        tests(
            "ChilPrintTests",
            [
                "ChilPrint", "ChilPrintTestSupport", "ChilMedia", "ChilMediaTestSupport", "ChilHTTP", "ChilLoop",
                "ChilCrypto", "ChilCore", "ChilTestSupport",
            ]
        ),
        tests("ChilRasterTests", ["ChilRaster", "ChilMedia", "ChilMediaTestSupport", "ChilCore", "ChilTestSupport"]),
        tests("ChilExportTests", ["ChilExport", "ChilCore", "ChilTestSupport"]),
        tests("ChilMediaTests", ["ChilMedia", "ChilMediaTestSupport", "ChilCore"]),
        tests("ChilSketchTests", ["ChilSketch", "ChilPrint", "ChilMedia", "ChilTestSupport"]),
        tests(
            "ChilAdminTests",
            [
                "ChilAdmin", "ChilPrint", "ChilStore", "ChilAuth", "ChilDatabase", "ChilLoop", "ChilCrypto", "ChilCore",
                "ChilWebhook", "ChilHTTP", "ChilDevIssuer", "ChilDevEpson", "ChilEpson", "ChilConsole",
                "ChilTestSupport",
            ],
            exclude: ["Live/Screens"]
        ),
        tests(
            "ChilDevIssuerTests",
            ["ChilDevIssuer", "ChilAuth", "ChilHTTP", "ChilLoop", "ChilCrypto", "ChilCore", "ChilTestSupport"]
        ),
        tests(
            "ChilAPITests",
            [
                "ChilAPI", "ChilAdmin", "ChilHTTP", "ChilStore", "ChilDatabase", "ChilAuth", "ChilCrypto", "ChilLoop",
                "ChilCore",
                "ChilProvider", "ChilGenerator", "ChilWebhook", "ChilMotion", "ChilDevIssuer",
                "ChilDevMotion", "ChilDevEpson", "ChilEpson", "ChilMedia", "ChilMediaTestSupport", "ChilPrint",
                "ChilPrintTestSupport", "ChilRaster",
                "ChilTestSupport",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
