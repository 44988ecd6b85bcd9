import ChilStore
import Glibc

/// A loop's buckets of one scope, in a table of fixed size: nothing is allocated for a request, and whoever comes from a million
/// addresses finds no more room than anybody.
///
/// Eight places for each remainder of the key, which nobody can foresee. A newcomer to a full row takes the place of whoever has been
/// quiet longest; those who are over their limit go last, and are refused again by PostgreSQL's count if they go all the same.
/// Not `Sendable`.
final class RateTable {
    static let placesPerRow = 8

    private let places: UnsafeMutablePointer<RateBucket>
    private let rowMask: UInt64
    let capacity: Int

    /// - Parameter capacity: a power of two, of `placesPerRow` at least.
    init(capacity: Int) {
        precondition(capacity >= Self.placesPerRow && capacity & (capacity - 1) == 0)
        self.capacity = capacity
        rowMask = UInt64(capacity / Self.placesPerRow - 1)
        // Zeroes are empty buckets, and the kernel gives no memory for pages that nobody has written to (calloc(3)).
        guard let memory = calloc(capacity, MemoryLayout<RateBucket>.stride) else {
            preconditionFailure("no memory for \(capacity) buckets")
        }
        places = memory.bindMemory(to: RateBucket.self, capacity: capacity)
    }

    deinit {
        free(places)
    }

    /// The bucket of that key, made if there is none. Good until the next call.
    func bucket(_ key: RateKey, _ rule: RateRule, _ share: RateShare, at now: Int64) -> UnsafeMutablePointer<RateBucket>
    {
        let row = places + Int(key.first & rowMask) * Self.placesPerRow
        var victim = row
        for place in row..<row + Self.placesPerRow {
            if place.pointee.isOf(key) { return place }
            if Self.goes(place.pointee, before: victim.pointee, at: now) { victim = place }
        }
        victim.pointee = RateBucket(key, rule, share, at: now)
        return victim
    }

    /// The same, if it is there.
    func known(_ key: RateKey) -> UnsafeMutablePointer<RateBucket>? {
        let row = places + Int(key.first & rowMask) * Self.placesPerRow
        return (row..<row + Self.placesPerRow).first { $0.pointee.isOf(key) }
    }

    /// Buckets that are somebody's.
    var count: Int { (places..<places + capacity).count { $0.pointee.touched != 0 } }

    private static func goes(_ one: RateBucket, before other: RateBucket, at now: Int64) -> Bool {
        let (isOver, isOtherOver) = (one.deniedUntil > now, other.deniedUntil > now)
        if isOver != isOtherOver { return isOtherOver }
        return isOver ? one.deniedUntil < other.deniedUntil : one.touched < other.touched
    }
}
