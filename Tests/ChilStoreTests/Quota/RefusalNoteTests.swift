import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// What a limit refuses is told each time, and noted once in a while: whoever goes on asking fills no audit.
@Suite struct RefusalNoteTests {
    private static let moments = [noon, noon + .seconds(599), noon + .seconds(600)]

    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func refusalsAreNotedOnceInTenMinutes(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            for (tenant, tries) in [(try await TestTenant(store), 5), (try await TestTenant(store), 1)] {
                let owners = [try await tenant.user("ann"), try await tenant.user("bob")]
                var drawings: [DrawingID] = []
                for owner in owners { drawings.append(try await tenant.drawing(by: owner)) }
                _ = try await tenant.printer()
                try await tenant.limit(.drawings, to: 0)
                try await tenant.limit(QuotaKey(.printJobs, .tenant, .day), to: 0)
                try await tenant.limit(.users, to: 2)
                for moment in Self.moments {
                    for _ in 0..<tries {
                        for (owner, drawing) in zip(owners, drawings) {
                            let create = tenant.create(by: owner, at: moment)
                            #expect(try await create.answer(from: store.service) == .overQuota(.drawings))
                            let print = self.print(drawing, of: owner, in: tenant, at: moment)
                            guard case .overQuota = try await print.answer(from: store.service) else {
                                Issue.record("a job was taken")
                                continue
                            }
                        }
                        let signIn = tenant.signIn("newcomer", at: moment)
                        #expect(try await signIn.answer(from: store.service).word == "quota")
                    }
                }
                let noted = try await tenant.auditedActions().reduce(into: [String: Int]()) { counts, line in
                    let words = line.split(separator: " ")
                    if words.dropFirst().first == "quota" {
                        counts[words.prefix(3).joined(separator: " "), default: 0] += 1
                    }
                }
                #expect(
                    noted == [
                        "drawing.create quota drawings": 4, "print-job.create quota print_jobs": 4,
                        "session.create quota users": 2,
                    ]
                )
            }
        }
    }

    private func print(_ drawing: DrawingID, of owner: UserID, in tenant: TestTenant, at now: Timestamp)
        -> PrintJobCreate
    {
        PrintJobCreate(
            fresh(),
            of: drawing,
            by: owner,
            in: tenant.id,
            on: nil,
            scale: .large,
            copies: 1,
            caller: testCaller,
            at: now,
            isLimited: true
        )
    }
}
