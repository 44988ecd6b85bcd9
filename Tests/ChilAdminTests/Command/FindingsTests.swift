import ChilCore
import ChilCrypto
import ChilStore
import Testing

@testable import ChilAdmin
@testable import ChilStore

/// What `doctor` says of what was seen: rows in which all is well, and rows in which it is not.
@Suite struct FindingsTests {
    private static let now = Timestamp(seconds: 1_800_000_000)
    private static func days(_ count: Int64) -> Timestamp { now + .seconds(count * 86_400) }

    private static func findings(_ change: (inout Findings) -> Void = { _ in }) -> Findings {
        var findings = Findings(now: now)
        findings.cluster = ClusterHealth.Row(
            serverVersion: "15.20",
            role: "chil_operator",
            now: now,
            isSuperuser: false,
            serviceFaults: 0,
            overdueTenants: 0,
            databaseBytes: 5 << 30,
            archiveMode: "on",
            connections: 5,
            connectionsMax: 100
        )
        findings.tenantCount = 0
        change(&findings)
        return findings
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let check: DoctorCheck
        let state: DoctorRow.State
        let said: String
        let make: @Sendable (inout Findings) -> Void

        init(
            _ name: String,
            _ check: DoctorCheck,
            _ state: DoctorRow.State,
            _ said: String,
            _ make: @escaping @Sendable (inout Findings) -> Void
        ) {
            (self.name, self.check, self.state, self.said, self.make) = (name, check, state, said, make)
        }

        var testDescription: String { name }

        static func tls(
            _ name: String,
            _ state: DoctorRow.State,
            _ said: String,
            _ evidence: PublicAddressEvidence?
        ) -> Self {
            Self(name, .tls, state, said) { $0.publicAddress = evidence }
        }

        static func wal(
            _ name: String,
            _ state: DoctorRow.State,
            _ said: String,
            bytes: Int64? = 64 << 20,
            failing: Timestamp? = nil,
            _ slots: ReplicationSlots.Row...
        ) -> Self {
            Self(name, .wal, state, said) {
                $0.storage = FindingsTests.storage(bytes: bytes, failing: failing, slots: slots)
            }
        }

        static func disk(_ name: String, _ state: DoctorRow.State, _ said: String, free: Int64?, of total: Int64)
            -> Self
        {
            Self(name, .disk, state, said) {
                let room = free.map { DiskRoom(path: "/var/lib/postgresql", freeBytes: $0, totalBytes: total) }
                $0.storage = FindingsTests.storage(room: room)
            }
        }

        static func providers(
            _ name: String,
            _ state: DoctorRow.State,
            _ said: String,
            _ records: (String, ProviderEvidence.KeySet, String?)...
        ) -> Self {
            Self(name, .providers, state, said) {
                $0.providerRecords = records.map {
                    ProviderEvidence(tenant: $0.0, jwksURL: "https://idp.example/keys", keySet: $0.1, gap: $0.2)
                }
            }
        }
    }

    private static func storage(
        bytes: Int64? = nil,
        failing: Timestamp? = nil,
        slots: [ReplicationSlots.Row] = [],
        room: DiskRoom? = nil
    ) -> StorageEvidence {
        StorageEvidence(
            health: StorageHealth.Row(
                walBytesMax: 1 << 30,
                archivingFailsSince: failing,
                dataDirectory: nil,
                isLocal: true,
                maySeeWAL: bytes != nil
            ),
            walBytes: bytes,
            slots: slots,
            room: room
        )
    }

    private static func slot(_ active: Bool, _ held: Int64, lost: Bool = false) -> ReplicationSlots.Row {
        ReplicationSlots.Row(name: "replica_1", isActive: active, isLost: lost, heldBytes: held)
    }

    static let rows: [Row] = [
        .tls("not set", .warn, "CHIL_PUBLIC_URL is not set", .notSet),
        .tls("no URL", .fail, "CHIL_PUBLIC_URL is no http or https URL", .noURL),
        .tls("in the clear here", .ok, "in the clear, on this machine alone", .plain(host: "127.0.0.1")),
        .tls("in the clear", .fail, "http://: everybody", .plain(host: "api.example")),
        .tls("silent", .fail, "no answer from CHIL_PUBLIC_URL: no connection", .silent("no connection: refused")),
        .tls(
            "well",
            .ok,
            "the certificate is trusted, and good for 60 days",
            .shown(until: days(60), objection: nil, status: 200)
        ),
        .tls(
            "a proxy that has no such page",
            .ok,
            "the certificate is trusted",
            .shown(until: days(60), objection: nil, status: 404)
        ),
        .tls(
            "15 days",
            .ok,
            "the certificate is trusted, and good for 15 days",
            .shown(until: days(15), objection: nil, status: 200)
        ),
        .tls(
            "13 days",
            .warn,
            "the certificate is good for 13 days",
            .shown(until: days(13), objection: nil, status: 200)
        ),
        .tls(
            "2 days",
            .fail,
            "the certificate is good for 2 days",
            .shown(until: days(2), objection: nil, status: 200)
        ),
        .tls(
            "over",
            .fail,
            "the certificate is over since 2027-01-14T08:00:00.000Z",
            .shown(until: days(-1), objection: .expired, status: nil)
        ),
        .tls("over just now", .fail, "the certificate is over", .shown(until: now, objection: nil, status: 200)),
        .tls(
            "another's name",
            .fail,
            "no client trusts the certificate: wrongName",
            .shown(until: days(60), objection: .wrongName, status: nil)
        ),
        .tls(
            "self-made",
            .fail,
            "no client trusts the certificate: unknownIssuer",
            .shown(until: days(60), objection: .unknownIssuer, status: nil)
        ),
        .tls(
            "nobody behind the proxy",
            .fail,
            "CHIL_PUBLIC_URL answers 502",
            .shown(until: days(60), objection: nil, status: 502)
        ),

        .wal("no slots", .ok, "64 MiB of WAL, 0 replication slots"),
        .wal(
            "not shown",
            .ok,
            "0 replication slots, none holds much; how much WAL lies there is not shown",
            bytes: nil
        ),
        .wal("a slot that is read", .ok, "64 MiB of WAL, 1 replication slots", slot(true, 16 << 20)),
        .wal(
            "a slot that is behind",
            .warn,
            "the replication slot 'replica_1' is behind: it holds 2,048 MiB",
            slot(true, 2 << 30)
        ),
        .wal(
            "a slot that nobody reads",
            .warn,
            "nobody reads the replication slot 'replica_1', which holds 16 MiB",
            slot(false, 16 << 20)
        ),
        .wal(
            "one that fills the disk",
            .fail,
            "nobody reads the replication slot 'replica_1', which holds 20 GiB",
            slot(false, 20 << 30)
        ),
        .wal("one never used", .ok, "64 MiB of WAL, 1 replication slots", slot(false, 0)),
        .wal("one that is lost", .fail, "the replication slot 'replica_1' has lost", slot(false, 0, lost: true)),
        .wal("not archived", .fail, "WAL is not archived, last tried at 2027-01-14T08:00:00.000Z", failing: days(-1)),
        .wal("much of it", .warn, "5,120 MiB of WAL, with a max_wal_size of 1,024 MiB", bytes: 5 << 30),
        Row("no answer about WAL", .wal, .fail, "gone") {
            $0.storageFault = AdminFault(.tryLater, "gone", remedy: "Try again.")
        },

        .disk("not visible", .ok, "the database has 5,120 MiB; its disk is not visible from here", free: nil, of: 0),
        .disk(
            "roomy",
            .ok,
            "the database has 5,120 MiB; /var/lib/postgresql has 60 GiB of 100 GiB left",
            free: 60 << 30,
            of: 100 << 30
        ),
        .disk(
            "filling",
            .warn,
            "the database has 5,120 MiB; /var/lib/postgresql has 11 GiB of 100 GiB left",
            free: 11 << 30,
            of: 100 << 30
        ),
        .disk(
            "nearly full",
            .fail,
            "the database has 5,120 MiB; /var/lib/postgresql has 4,096 MiB of 100 GiB left",
            free: 4 << 30,
            of: 100 << 30
        ),
        .disk("small and full", .fail, "the database has 5,120 MiB", free: 900 << 20, of: 2 << 30),
        Row(
            "images elsewhere",
            .disk,
            .ok,
            "the database has 5,120 MiB; its disk is not visible from here; images lie in the bucket 'art'"
        ) {
            $0.objectBucket = "art"
        },

        .providers("none", .ok, "no provider record yet"),
        .providers("fetched", .ok, "the keys of all 2 records", ("one", .fetched, nil), ("two", .fetched, nil)),
        .providers(
            "not fetched",
            .fail,
            "the keys of https://idp.example/keys are not to be had (status 404): two",
            ("one", .fetched, nil),
            ("two", .missing("status 404"), nil)
        ),
        .providers(
            "of two tenants",
            .fail,
            "the keys of https://idp.example/keys are not to be had (away): one, two",
            ("one", .missing("away"), nil),
            ("two", .missing("away"), nil)
        ),
        .providers(
            "by a service alone",
            .warn,
            "the keys of https://idp.example/keys are not to be had (away; a service has it",
            ("one", .kept(now, "away"), nil)
        ),
        .providers(
            "by a service, long ago",
            .fail,
            "the keys of https://idp.example/keys are not to be had (away; a service has it from 2027-01-12",
            ("one", .kept(days(-3), "away"), nil)
        ),
        .providers(
            "a gap",
            .fail,
            "the provider's key does not open: two",
            ("one", .fetched, nil),
            ("two", .fetched, "the provider's key does not open")
        ),
        .providers("a gap before keys", .fail, "no token URL: one", ("one", .missing("away"), "no token URL")),
        .providers("no time", .warn, "1 of 2 records were not asked", ("one", .fetched, nil), ("two", .notAsked, nil)),
    ]

    @Test(arguments: rows)
    func saysWhatIsSoAndWhatToDo(_ row: Row) {
        let found = Self.findings(row.make).row(row.check)
        #expect(found.check == row.check && found.state == row.state, "\(found)")
        #expect(found.finding.hasPrefix(row.said), "\(found.finding)")
        // Whatever is not well has what to do next, as a sentence.
        #expect((found.remedy == nil) == (found.state == .ok), "\(found)")
        if let remedy = found.remedy { #expect(remedy.hasSuffix(".") || remedy.hasSuffix(")."), "\(remedy)") }
    }

    /// Every check says something where nothing at all was seen, and where there is no database.
    @Test(arguments: DoctorCheck.allCases)
    func saysSomethingOfNothing(_ check: DoctorCheck) {
        for findings in [Self.findings(), Findings(now: Self.now)] {
            let row = findings.row(check)
            #expect(row.check == check && !row.finding.isEmpty)
            #expect(row.state == .ok || row.remedy?.isEmpty == false, "\(row)")
        }
    }

    @Test func aDiskIsSeenWhereItIs() throws {
        let room = try #require(DiskRoom(of: "/"))
        #expect(room.totalBytes > 0 && (0...room.totalBytes).contains(room.freeBytes))
        #expect(DiskRoom(of: "/no/such/path") == nil)
    }
}
