import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// On a database of its own: the queue and the slots are shared by all tenants.
@Suite struct WorkTests {
    private struct WorkInsert: Statement {
        typealias Row = Void
        static let sql = SQL(
            "insert into work (tenant_id, work_id, kind, subject_id, run_at) values ($1, $2, 'print', $2, now())"
        )
        let tenant: TenantID
        let work: WorkID
        func bind(_ values: inout BoundValues) {
            values.append(tenant)
            values.append(work)
        }
    }

    @Test func everyPieceGoesToOneWorker() async throws {
        try await TestStore.withOwnDatabase { store in
            let database = store.service
            var batch = Batch(.write, of: nil)
            for _ in 0..<60 { batch.add(WorkInsert(tenant: fresh(), work: fresh())) }
            _ = try await database.run(batch)
            let claimed = try await withThrowingTaskGroup(of: [WorkID].self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try await WorkClaim(countMax: 7, lease: .seconds(60), holder: "worker \(number)").run(
                            on: database
                        ).map(\.id)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(claimed.count == 60)
            #expect(Set(claimed).count == 60)
        }
    }

    /// A newer build queues what this one cannot do; all else goes on.
    @Test func aKindOfANewerBuildIsLeftToIt() async throws {
        try await TestStore.withOwnDatabase { store in
            try await store.script(
                """
                alter table work drop constraint work_kind_check;
                insert into work (tenant_id, work_id, kind, subject_id, run_at)
                values (1, 1, 'newer', 1, now() - interval '1 hour'), (1, 2, 'print', 2, now()), (1, 3, 'cancel', 3, now());
                """
            )
            let claimed = try await WorkClaim(countMax: 2, lease: .seconds(60), holder: "old").run(on: store.service)
            #expect(Set(claimed.map(\.kind)) == [.print, .cancel])
        }
    }

    @Test func slotsAreLeasedOnceAndRest() async throws {
        try await TestStore.withOwnDatabase { store in
            let database = store.service
            var slots: [LoopSlot] = []
            while let slot = try await LoopSlot.lease(holder: "here", for: .seconds(60), on: database) {
                slots.append(slot)
            }
            #expect(slots.map(\.number).sorted() == Array(0..<63))
            let first = try #require(slots.first)
            #expect(try await first.renew(holder: "here", for: .seconds(60), on: database))
            #expect(try await first.renew(holder: "there", for: .seconds(60), on: database) == false)
            try await first.release(holder: "here", on: database)
            // It rests: numbers may have run ahead of the clock.
            #expect(try await LoopSlot.lease(holder: "there", for: .seconds(60), on: database) == nil)
        }
    }
}
