import ChilCore

/// How many streams each person has open at this process.
final class LivePeople: Sendable {
    /// Phones, tablets and browser tabs of one family; more is a client that forgets its streams.
    static let streamsMax = 8

    private let counts = Locked<[Person: Int]>([:])

    /// False: the person has as many as one may have.
    func enter(_ person: Person) -> Bool {
        counts.withLock { counts in
            let count = counts[person, default: 0]
            guard count < Self.streamsMax else { return false }
            counts[person] = count + 1
            return true
        }
    }

    func leave(_ person: Person) {
        counts.withLock { counts in
            guard let count = counts[person] else { return }
            counts[person] = count > 1 ? count - 1 : nil
        }
    }
}
