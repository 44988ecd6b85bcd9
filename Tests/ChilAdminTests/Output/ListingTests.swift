import Foundation
import Testing

@testable import ChilAdmin

@Suite struct ListingTests {
    @Test func aListIsAnAlignedTable() async {
        let services = FakeServices()
        services.tenantRows = [Sample.tenant(named: "칠하다", slug: "chillin"), Sample.tenant(named: "", slug: "a")]
        let run = await Run("tenant list", services: services)
        #expect(
            run.out == """
                SLUG     NAME    STATE   GUEST  TIME ZONE   CREATED AT
                chillin  칠하다  active  no     Asia/Seoul  2026-11-30T06:00:00Z
                a        ""      active  no     Asia/Seoul  2026-11-30T06:00:00Z

                """
        )
    }

    @Test func numbersStandRight() async {
        let services = FakeServices()
        services.quotaRows = [
            Sample.quota,
            QuotaRow(
                metric: "users",
                scope: "tenant",
                window: "day",
                used: 7,
                limit: 5,
                softLimit: 4,
                action: "warn",
                source: "plan",
                resetsAt: "2026-12-01T00:00:00.000Z"
            ),
        ]
        let run = await Run("quota list chillin", services: services)
        #expect(
            run.out == """
                METRIC    SCOPE   WINDOW  USED   LIMIT  ACTION  SOURCE  RESETS AT
                drawings  tenant  none      42  100000  deny    tenant  -
                users     tenant  day        7       5  warn    plan    2026-12-01T00:00:00.000Z

                """
        )
    }

    @Test func oneThingIsARecord() async {
        let run = await Run("tenant show chillin")
        #expect(
            run.out == """
                SLUG                  chillin
                NAME                  Chillin
                STATE                 active
                GUEST                 no
                TIME ZONE             Asia/Seoul
                CREATED AT            2026-11-30T06:00:00Z
                PURGE AT              -
                SESSION IDLE          30d
                SESSION ABSOLUTE      90d
                SESSIONS MAX          -
                PLAN                  -
                GUEST PRINTS PER DAY  -
                CONSENT               -
                CONSENT NOTICE        1
                PRINT SCALE           page
                PAPER                 -
                JOB MARK              no
                ID                    391234567890123

                """
        )
    }

    @Test func jsonHasAllMembersInOrder() async {
        let run = await Run("client list chillin -o json")
        #expect(
            run.out == """
                [
                  {
                    "clientId": "com.example.chilhada",
                    "use": "native",
                    "issuers": ["https://appleid.apple.com", "https://account.apple.com"],
                    "jwksUrl": "https://appleid.apple.com/auth/keys",
                    "algorithms": ["ES256", "RS256"],
                    "noncePolicy": "server",
                    "tokenAgeMax": 600,
                    "development": false,
                    "credentials": "none",
                    "credentialFault": null,
                    "teamId": null,
                    "keyId": null,
                    "redirectUri": null,
                    "returnUrl": null,
                    "authorizeUrl": null,
                    "tokenUrl": null,
                    "revokeUrl": null,
                    "migrationUrl": null,
                    "allowPrivate": null,
                    "providerId": 7
                  }
                ]

                """
        )
    }

    @Test func emptyListsAreStillTablesAndArrays() async {
        let services = FakeServices()
        services.printerRows = []
        let table = await Run("printer list chillin", services: services)
        #expect(table.out == "NAME  URI  DEFAULT  DISCLOSED TO  STATE  LIVE  REASONS  LENT BY\n")
        #expect(table.err == "No printer: `chiladmin printer add chillin --name NAME --uri URI` adds one.\n")
        #expect(await Run("printer list chillin -o json", services: services).out == "[]\n")
    }

    @Test func aPrintersReport() async {
        let run = await Run("printer test chillin office")
        #expect(
            run.out == """
                NAME            office
                URI             ipp://127.0.0.1:8631/ipp/print
                MODEL           Example Printer
                STATE           idle
                STATE REASONS   none
                ACCEPTING JOBS  yes
                FORMATS         application/pdf, image/jpeg
                MEDIA           iso_a4_210x297mm
                PAPER           -
                RESOLUTIONS     -
                COLOR MODES     -
                RASTER TYPES    -
                VERSIONS        -
                UUID            -
                CERTIFICATE     -

                """
        )
    }

    @Test func hostileNamesDoNotBreakTheTable() async throws {
        let names =
            try naughtyStrings() + [
                "--name", "a\nb", "\u{1B}]0;title\u{7}", "칠하다 👩‍👩‍👧", "\u{9B}2J", "\u{202E}gpj.exe",
            ]
        let services = FakeServices()
        services.printerRows = names.map(Sample.printer(named:))
        let run = await Run("printer list chillin", services: services)
        let lines = run.out.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == names.count + 2)
        #expect(!run.out.unicodeScalars.contains { $0 != "\n" && CleanText.isUnsafe($0) })
        let widths = Set(lines.dropLast().dropFirst().map { DisplayWidth.of(String($0)) })
        #expect(widths.count == 1)

        let json = await Run("printer list chillin -o json", services: services)
        let back = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [[String: Any]]
        #expect(back?.compactMap { $0["name"] as? String } == names)
    }
}
