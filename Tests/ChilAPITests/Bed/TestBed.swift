import ChilCore
import ChilDatabase
import Foundation
import Testing

/// All that the service needs, made for one suite and gone after it: a database with the migrations, a key file, an identity
/// provider, two tenants that know each other's nothing, and the built `chilapi`.
final class TestBed: Sendable {
    @TaskLocal static var current: TestBed?

    let database: TestDatabase
    let issuer: TestIssuer
    let folder: URL
    private let services = Locked<[ServiceForm: Service]>([:])

    static var required: TestBed {
        get throws { try #require(current, "the suite has the trait .testBed") }
    }

    /// - Parameter cluster: an administrator's URL; `nil`: the cluster of `scripts/test`.
    init(in cluster: String? = nil) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-api-\(UUID())")
        issuer = try TestIssuer()
        database = try await TestDatabase(in: cluster)
    }

    /// The key file, the schema, both tenants, a service of each form.
    func fill(_ forms: [ServiceForm]) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let key = Data("1:\(String(repeating: "5a", count: 32))\n".utf8)
        try #require(
            FileManager.default.createFile(atPath: keyFile, contents: key, attributes: [.posixPermissions: 0o600])
        )
        if !database.isMigrated { try administration.run("migrate", as: nil) }
        for tenant in [Tenant.north, .south] { try administration.add(tenant, issuer) }
        for form in forms {
            let log = folder.appendingPathComponent("chilapi \(form.rawValue).log")
            let service = try Service(settings.merging(form.settings) { _, form in form }, log: log)
            services.withLock { $0[form] = service }
        }
    }

    var keyFile: String { folder.appendingPathComponent("master.key").path }

    /// The environment of a service, without a form.
    var settings: [String: String] {
        [
            "CHIL_DATABASE_URL": database.url("chil_service"), "CHIL_KEY_FILE": keyFile, "CHIL_LISTEN": "127.0.0.1:0",
            "CHIL_PUBLIC_URL": Service.publicURL, "CHIL_LOG": "json",
        ]
    }

    var administration: Administration { Administration(database: database, keyFile: keyFile, folder: folder) }

    func service(_ form: ServiceForm = .implicitNamed) throws -> Service {
        try #require(services.withLock { $0[form] }, "the suite's trait .testBed names this form")
    }

    /// Ends everything, whatever the tests left.
    func remove() async throws {
        let services = services.withLock { Array($0.values) }
        // Whatever was asked of a service, it does not end by itself, and it ends well: a sanitizer's report is no good end.
        for service in services {
            if !service.program.isRunning { Issue.record("a chilapi has ended: \(service.program.text.suffix(4_000))") }
            service.program.signal(SIGTERM)
        }
        for service in services {
            do {
                let status = try service.program.wait(atMost: .seconds(15))
                if status != 0 {
                    Issue.record("a chilapi has ended by \(status): \(service.program.text.suffix(4_000))")
                }
            } catch {
                Issue.record(error)
            }
        }
        issuer.stop()
        LogSecrets.check(folder)
        try? FileManager.default.removeItem(at: folder)
        try await database.drop()
    }
}

/// Gives a suite a bed of its own.
struct TestBedTrait: SuiteTrait, TestScoping {
    let forms: [ServiceForm]

    @concurrent
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let bed = try await TestBed()
        let outcome: Result<Void, any Error>
        do {
            try bed.fill(forms)
            outcome = .success(try await TestBed.$current.withValue(bed) { try await function() })
        } catch {
            outcome = .failure(error)
        }
        try await bed.remove()
        try outcome.get()
    }
}

extension Trait where Self == TestBedTrait {
    static func testBed(_ forms: [ServiceForm] = [.implicitNamed]) -> Self { Self(forms: forms) }
}
