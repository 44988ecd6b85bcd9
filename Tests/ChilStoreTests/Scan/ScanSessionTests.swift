import ChilCore
import ChilDatabase
import ChilStore
import Testing

/// Addresses for one push.
@Suite struct ScanSessionTests {
    private struct Place: Sendable {
        let tenant: TestTenant
        let owner: UserID
        let drawings: [DrawingID]

        init(_ store: TestStore) async throws {
            tenant = try await TestTenant(store)
            owner = try await tenant.user()
            drawings = [try await tenant.drawing(by: owner), try await tenant.drawing(by: owner)]
        }

        func open(_ digest: [UInt8], for drawing: Int = 0, at now: Timestamp = noon) async throws
            -> ScanSessionCreate.Outcome
        {
            try await ScanSessionCreate(
                digest,
                for: drawings[drawing],
                of: owner,
                in: tenant.id,
                at: now,
                until: now + .seconds(7 * 86_400)
            ).answer(from: tenant.store.service)
        }

        func leadsSomewhere(_ digest: [UInt8], at now: Timestamp = noon) async throws -> Bool {
            try await ScanDoorOpen(digest, of: tenant.id, at: now).first(from: tenant.store.service) != nil
        }
    }

    /// Whoever asks for addresses all day has eight of a drawing, the newest.
    @Test func theOldestOfADrawingEnd() async throws {
        try await TestStore.with { store in
            let place = try await Place(store), other = try await Place(store)
            let digests = (0..<ScanSessionCreate.countMax + 3).map { _ in freshDigest() }
            let another = freshDigest()
            _ = try await place.open(another, for: 1)
            _ = try await other.open(digests[0])
            for (second, digest) in digests.enumerated() {
                let now = noon + .seconds(Int64(second))
                #expect(try await place.open(digest, at: now) == .opened(until: now + .seconds(7 * 86_400)))
            }
            var open: [Bool] = []
            for digest in digests { open.append(try await place.leadsSomewhere(digest)) }
            #expect(open == [false, false, false] + Array(repeating: true, count: ScanSessionCreate.countMax))
            #expect(try await place.leadsSomewhere(another))
            #expect(try await other.leadsSomewhere(digests[0]))
        }
    }

    /// An address that is made of a key is the same for a day.
    @Test(arguments: DatabaseConfiguration.SegmentForm.allCases)
    func anAddressIsOpenedOnce(_ form: DatabaseConfiguration.SegmentForm) async throws {
        try await TestStore.with(form) { store in
            let place = try await Place(store), other = try await Place(store)
            let digest = freshDigest(), later = noon + .seconds(86_399)
            let first = try await place.open(digest)
            #expect(first == .opened(until: noon + .seconds(7 * 86_400)))
            #expect(try await place.open(digest, at: later) == first)
            #expect(try await place.open(digest, for: 1, at: later) == .otherDrawing)
            #expect(try await other.open(digest, at: later) != first)
            let tomorrow = noon + .seconds(86_400)
            #expect(
                try await place.open(digest, for: 1, at: tomorrow) == .opened(until: tomorrow + .seconds(7 * 86_400))
            )
        }
    }
}
