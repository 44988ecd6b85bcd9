import ChilCore
import ChilDatabase
import ChilStore
import ChilTestSupport
import Testing

@testable import ChilAdmin

/// Printers with prints that wait there, in two tenants, against PostgreSQL. No service runs: what waits stays as it is.
@Suite struct LivePrinterTests {
    private static let people = """
        insert into app_user (tenant_id, user_id, created_at, updated_at)
        select tenant_id, 1001, now(), now() from tenant;
        insert into image (tenant_id, owner_id, hash, byte_count, media_type, width, height, chunk_count, bytes)
        select tenant_id, 1001, sha256('page'), 4, 'image/png', 16, 8, 0, 'page' from tenant;
        insert into drawing (tenant_id, drawing_id, owner_id, byte_count, created_at, updated_at, width, height, kind, status,
                             media_type, image_hash)
        select tenant_id, 2001, owner_id, byte_count, now(), now(), width, height, 'UPLOADED', 'READY', media_type, hash from image
        """

    private struct Stage {
        let live: LiveDatabase

        init() async throws {
            live = try await LiveDatabase()
            let migrated = await live.run("migrate", as: nil)
            #expect(migrated.status == .success)
            for tenant in ["chillin", "school"] {
                await expect("tenant create \(tenant)", .success)
                await expect("printer add \(tenant) --name office --uri ipps://127.0.0.1:1/ipp/print", .success)
            }
            await expect("printer add chillin --name hall --uri ipp://127.0.0.1:1/ipp/print", .success)
            try await live.script(LivePrinterTests.people)
        }

        func expect(
            _ line: String,
            _ status: ExitCode,
            out: String = "",
            err: String = "",
            at location: SourceLocation = #_sourceLocation
        ) async {
            let run = await live.run(line)
            #expect(run.status == status, "\(line): \(run.err)", sourceLocation: location)
            #expect(out.isEmpty || run.out.contains(out), "\(line): \(run.out)", sourceLocation: location)
            #expect(err.isEmpty || run.err.contains(err), "\(line): \(run.err)", sourceLocation: location)
        }

        /// What lies at a printer of a tenant's, by its name.
        func jobs(at printer: String, of tenant: String) async -> String {
            await live.run("job list \(tenant) --printer \(printer) -o json").out
        }

        func print(_ number: Int64, at name: String, of slug: String) async throws {
            try await withDatabase(live.url(role: "chil_operator")) { database in
                let tenant = try #require(try await database.run(TenantBySlug(slug: slug), .read, of: nil).first).id
                let views = try await PrinterViews(of: tenant).rows(from: database)
                let printer = try #require(views.first { $0.record.name == name }).record.id
                try await withDatabase(live.url(role: "chil_service")) { service in
                    let create = PrintJobCreate(
                        PrintJobID(rawValue: number),
                        of: DrawingID(rawValue: 2001),
                        by: UserID(rawValue: 1001),
                        in: tenant,
                        on: printer,
                        scale: .large,
                        copies: 1,
                        caller: Caller(requestID: nil, address: nil),
                        at: Timestamp(seconds: 1_796_000_000),
                        isLimited: false
                    )
                    let outcome = try await create.answer(from: service)
                    #expect(outcome == .created(printer))
                }
            }
        }
    }

    @Test func whatWaitsGoesWhereItIsTold() async throws {
        let stage = try await Stage()
        try await stage.print(7, at: "office", of: "chillin")
        try await stage.print(8, at: "office", of: "school")
        await stage.expect("printer remove chillin office", .dataRefused, err: "--move-to PRINTER")
        await stage.expect("printer remove chillin office --move-to nowhere", .notFound)
        await stage.expect("printer remove chillin office --move-to office", .dataRefused)
        await stage.expect("printer disable chillin hall", .success)
        await stage.expect("printer remove chillin office --move-to hall", .dataRefused, err: "takes no prints")
        await stage.expect("printer enable chillin hall", .success)
        await stage.expect("printer remove chillin office --move-to hall", .success, err: "1 jobs go to printer 'hall'")
        #expect(await stage.jobs(at: "hall", of: "chillin").contains("\"id\": 7,"))
        #expect(await stage.jobs(at: "office", of: "school").contains("\"id\": 8,"), "another tenant's stays")
        await stage.expect("printer show chillin office", .notFound)
        await stage.expect("printer remove school office --cancel-jobs", .usage, err: "--confirm")
        await stage.expect("printer remove school office --cancel-jobs --confirm=school", .success)
        await stage.expect("job show school 8", .success, out: "CANCEL REQUESTED AT")
        await stage.expect("job show chillin 7", .success, out: "queued")
        try await stage.live.remove()
    }

    @Test func aPrinterIsLentAndTakenBack() async throws {
        let stage = try await Stage()
        await stage.expect("printer share chillin hall --with chillin", .dataRefused, err: "has this printer")
        await stage.expect("printer share chillin hall --with nobody", .notFound)
        await stage.expect("printer share chillin hall --with school --as library", .success, out: "library")
        await stage.expect("printer share chillin hall --with school", .dataRefused, err: "is lent to 'school' already")
        await stage.expect("printer share school library --with chillin", .dataRefused, err: "is borrowed by")
        await stage.expect("printer show chillin hall", .success, out: "school")
        let lent = await stage.live.run("printer list school -o json").out
        #expect(
            lent.contains("library") && !lent.contains("127.0.0.1:1/ipp/print\",\n    \"name\": \"library"),
            "\(lent)"
        )
        try await stage.print(9, at: "library", of: "school")
        await stage.expect("printer unshare chillin hall --with school", .dataRefused, err: "have not ended")
        await stage.expect("printer drain chillin hall", .success, out: "draining")
        await stage.expect("printer unshare chillin hall --with school --move-to office", .success)
        #expect(await stage.jobs(at: "office", of: "school").contains("\"id\": 9,"))
        await stage.expect("printer unshare chillin hall --with school", .notFound)
        try await stage.live.remove()
    }

    @Test func aPrintIsCanceledByItsTenantAlone() async throws {
        let stage = try await Stage()
        try await stage.print(7, at: "hall", of: "chillin")
        for verb in ["show", "cancel", "retry"] { await stage.expect("job \(verb) school 7", .notFound) }
        await stage.expect("job resolve school 7 printed", .notFound)
        await stage.expect("job retry chillin 7", .dataRefused, err: "queued")
        await stage.expect("job resolve chillin 7 printed", .tryLater)
        // A worker says when it is, and what the printer made of it.
        await stage.expect("job cancel chillin 7", .success, out: "CANCEL REQUESTED AT")
        await stage.expect("job cancel chillin 7", .success)
        await stage.expect("job retry chillin 7", .dataRefused)
        await stage.expect("job stats chillin", .success)
        let audit = await stage.live.run("audit list chillin --action print-job.*").out
        #expect(audit.contains("print-job.cancel") && !audit.contains("print-job.retry"), "\(audit)")
        try await stage.live.remove()
    }

    @Test func aKeyIsTrustedByWord() async throws {
        let stage = try await Stage()
        let key = "sha256:" + String(repeating: "5a", count: 32)
        await stage.expect("printer trust chillin office --key sha256:5a", .usage)
        await stage.expect("printer trust chillin nowhere --key \(key)", .notFound)
        await stage.expect("printer trust chillin office --key \(key)", .success, out: key)
        await stage.expect("printer trust chillin hall --key \(key)", .dataRefused)
        await stage.expect("printer trust chillin office", .failed)
        let other = await stage.live.run("printer list school -o json").out
        #expect(!other.contains("5a5a"), "\(other)")
        let audit = await stage.live.run("audit list chillin --action printer.trust").out
        #expect(audit.contains(key), "\(audit)")
        try await stage.live.remove()
    }
}
