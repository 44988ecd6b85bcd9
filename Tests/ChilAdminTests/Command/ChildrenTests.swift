import ChilCore
import ChilStore
import Foundation
import Testing

@testable import ChilAdmin

/// The commands that serve a guardian's rights: what they ask for, and how they end.
@Suite struct ChildrenTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let line: String
        let asked: [String]
        var testDescription: String { line }

        init(_ line: String, _ asked: String...) { (self.line, self.asked) = (line, asked) }
    }

    @Test(arguments: [
        Row(
            "tenant consent chillin --require collect,disclose:hp-2",
            "chillin requires collect disclose:hp-2 under as before",
            "tenant chillin"
        ),
        Row("tenant consent chillin --require none --notice 3", "chillin requires  under 3", "tenant chillin"),
        Row(
            "consent record chillin 7 --scopes collect,disclose:epson --method government-id --guardian f --notice 2",
            "give collect disclose:epson of 7 of chillin government-id f 2",
            "consents of 7 of chillin"
        ),
        Row(
            "consent withdraw chillin 7 --scopes collect",
            "withdraw collect of 7 of chillin ",
            "consents of 7 of chillin"
        ),
        Row("retention set chillin drawings.scanned forever", "keep drawings.scanned of chillin forever"),
        Row("retention set chillin audit 1", "keep audit of chillin 1 days"),
        Row("retention unset chillin print-jobs", "keep print-jobs of chillin by default"),
        Row("user hold chillin 7 --reason case", "hold for case 7 of chillin"),
        Row("user release chillin 7", "release 7 of chillin"),
        Row("erasure open chillin 7", "erase 7 of chillin by nobody"),
        Row("erasure refuse chillin 9 --reason no", "refuse 9 of chillin: no"),
        Row("ledger export --out f --tenant chillin", "ledger of chillin to f"),
        Row(
            "audit affected-users chillin --since 2026-11-01T00:00:00+09:00 --until 2026-11-02T00:00:00Z",
            "affected of chillin account 2026-10-31T15:00:00.000Z 2026-11-02T00:00:00.000Z"
        ),
    ])
    func asksForExactlyThat(_ row: Row) async {
        let services = FakeServices()
        #expect(await Run(row.line, services: services).status == .success)
        #expect(services.asked == row.asked)
    }

    @Test("P-10 an overdue request decides the exit status, and all are shown") func overdueDecidesTheStatus() async {
        let services = FakeServices()
        services.erasureRows = [Sample.erasure(isOverdue: true), Sample.erasure(isOverdue: false)]
        for form in ["", " -o json"] {
            let run = await Run("erasure list chillin" + form, services: services)
            #expect(run.status == .failed)
            #expect(run.out.contains("letter-17"))
            #expect(run.err.contains("Overdue: 9."))
        }
        services.erasureRows = []
        #expect(await Run("erasure list chillin", services: services).status == .success)
    }

    @Test func whatHeldAlreadyIsSaid() async {
        let services = FakeServices()
        services.isSaid = false
        let given = await Run(
            "consent record chillin 7 --scopes collect --method sms --guardian g --notice 1",
            services: services
        )
        #expect(given.status == .success && given.err.contains("It held already."))
        #expect(
            await Run("consent withdraw chillin 7 --scopes collect", services: services).err.contains("no such consent")
        )
        services.strangeLines = 2
        #expect(
            await Run("ledger apply --file f --confirm=f", services: services).err.contains("2 lines are of tenants")
        )
    }

    private static let line = LedgerLine(
        tenant: TenantID(rawValue: 1),
        entry: DeletionEntry(
            user: UserID(rawValue: 2),
            deletion: AccountDeletionID(rawValue: 3),
            deletedAt: Timestamp(seconds: 1_796_000_000),
            receiptDigest: [UInt8](repeating: 0xAB, count: 32)
        )
    )

    @Test func aLedgersLineIsReadAsItWasWritten() {
        let bytes = Self.line.bytes
        #expect(
            String(decoding: bytes, as: UTF8.self).hasPrefix("{\"tenant\":1,\"user\":2,\"deletion\":3,\"deletedAt\":\"")
        )
        #expect(LedgerLine(bytes.dropLast()) == Self.line)
    }

    @Test(arguments: [
        "", "{}", "[1]", "x",
        "{\"tenant\":1,\"user\":2,\"deletion\":3,\"deletedAt\":\"2026-11-30T00:00:00Z\",\"receipt\":\"abab\"}",
        "{\"tenant\":0,\"user\":2,\"deletion\":3,\"deletedAt\":\"2026-11-30T00:00:00Z\",\"receipt\":\"RRR\"}",
        "{\"tenant\":1,\"user\":9007199254740992,\"deletion\":3,\"deletedAt\":\"2026-11-30T00:00:00Z\",\"receipt\":\"RRR\"}",
        "{\"tenant\":1,\"user\":2,\"deletion\":3,\"deletedAt\":\"yesterday\",\"receipt\":\"RRR\"}",
        "{\"tenant\":1,\"user\":2,\"deletion\":3,\"deletedAt\":\"2026-11-30T00:00:00Z\",\"receipt\":\"RRR\",\"more\":1}",
        "{\"tenant\":\"1\",\"user\":2,\"deletion\":3,\"deletedAt\":\"2026-11-30T00:00:00Z\",\"receipt\":\"RRR\"}",
    ])
    func whatIsNoLineIsNone(_ text: String) {
        let digest = String(repeating: "ab", count: 32)
        #expect(LedgerLine(Array(text.replacingOccurrences(of: "RRR", with: digest).utf8)[...]) == nil)
    }
}
