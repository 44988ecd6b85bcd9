import ChilCore
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAPI

/// Which failures are told, without a clock.
@Suite struct TroubleNewsTests {
    @Test func theFirstFaultEachOtherOneAndTheEndAreTold() {
        let minute = TroubleNews.pause.wholeMicroseconds * 1_000
        var news = TroubleNews()
        #expect(news.heard(nil, at: 1) == nil)
        #expect(news.heard("refused", at: 2) == .fault("refused"))
        #expect(news.heard("refused", at: 3) == nil)
        // Within the minute it waits, and is told after it if it is still so.
        #expect(news.heard("no role", at: 4) == nil)
        #expect(news.heard("no role", at: 2 + minute) == .fault("no role"))
        #expect(news.heard("no role", at: 2 + 5 * minute) == nil)
        #expect(news.heard(nil, at: 3 + 5 * minute) == .over)
        #expect(news.heard(nil, at: 4 + 5 * minute) == nil)
        #expect(news.heard("no role", at: 5 + 5 * minute) == .fault("no role"))
        // Up and down: one line a minute says that it is down.
        #expect(news.heard(nil, at: 6 + 5 * minute) == .over)
        #expect(news.heard("no role", at: 7 + 5 * minute) == nil)
        #expect(news.heard(nil, at: 8 + 5 * minute) == nil)
    }
}

/// A service whose database is not there, or not as the settings say: the log says why, once, and has no password.
@Suite(.ownThread)
struct NoDatabaseTests {
    private static func withBed(_ body: (TestBed) throws -> Void) async throws {
        let bed = try await TestBed()
        let outcome = Result {
            try bed.fill([])
            try body(bed)
        }
        try await bed.remove()
        try outcome.get()
    }

    @Test(
        "M6 the log says why there is no connection",
        arguments: [
            ("CHIL_DATABASE_URL", "role", "nobody_here"), ("CHIL_DATABASE_URL", "database", "no_such_chil"),
            ("CHIL_DATABASE_URL", "port", "port 1 failed"), ("CHIL_LISTEN_DATABASE_URL", "port", "port 1 failed"),
        ]
    )
    func theReasonIsInTheLog(_ setting: String, _ wrong: String, _ reason: String) async throws {
        try await Self.withBed { bed in
            let address =
                switch wrong {
                case "role": bed.database.url("nobody_here") + "&password=hush"
                case "database": try TestCluster.url(database: "no_such_chil", role: "chil_service") + "&password=hush"
                default: "postgresql://chil_service:hush@127.0.0.1:1/chil"
                }
            let log = bed.folder.appendingPathComponent("away.log")
            let service = try Service(bed.settings.merging([setting: address]) { $1 }, log: log, untilReady: false)
            defer { service.program.signal(SIGKILL) }
            func lines() -> [Substring] {
                service.program.text.split(separator: "\n").filter {
                    $0.contains(#""message":"no connection to PostgreSQL""#)
                }
            }
            #expect(waitUntil(.seconds(10)) { !lines().isEmpty })
            let line = try #require(lines().first)
            #expect(line.contains(reason) && line.contains("remedy") && line.contains(setting), "\(line)")
            // All lanes of all loops go on trying, and the sealer too.
            #expect(
                waitUntil(.seconds(20)) { service.program.text.contains("sealing") || setting != "CHIL_DATABASE_URL" }
            )
            #expect(lines().count == 1, "\(service.program.text)")
            #expect(!service.program.text.contains("hush"))
        }
    }

    @Test(
        "M6 an address that cannot be read ends it at the start",
        arguments: [
            ("CHIL_DATABASE_URL", "postgresql://chil_service:hush%zz@localhost/chil"),
            ("CHIL_DATABASE_URL", "postgresql://chil_service:x@hush@localhost/chil"),
            ("CHIL_LISTEN_DATABASE_URL", "postgresql://chil_service:hush/x@localhost/chil"),
        ]
    )
    func whatCannotBeReadIsRefused(_ setting: String, _ address: String) async throws {
        try await Self.withBed { bed in
            var environment = bed.settings
            environment[setting] = address
            let program = try Program(
                Program.built("chilapi"),
                environment: environment,
                output: bed.folder.appendingPathComponent("refused.log")
            )
            #expect(try program.wait(atMost: .seconds(20)) == 78)
            #expect(program.text.contains("chilapi: \(setting) "), "\(program.text)")
            #expect(program.text.contains("percent-encode"))
            #expect(!program.text.contains("hush"))
        }
    }
}
