/// Makes the numbers of rows: 42 bits of milliseconds since 2024-01-01T00:00:00Z, 6 bits of slot, 5 bits of sequence.
///
/// Numbers of one slot only grow, also when the clock steps back. A millisecond has 32 of them; more are borrowed from the
/// milliseconds to come, at most five seconds of them. Two generators must never have the same slot at the same time.
package struct IDGenerator: Sendable {
    /// A loop's place in the numbers, leased in PostgreSQL; `chiladmin` uses 63.
    package let slot: Int
    private var millisecond: Int64
    private var sequence: Int64 = 0

    /// 2024-01-01T00:00:00Z in milliseconds since 1970.
    package static let epochMilliseconds: Int64 = 1_704_067_200_000
    /// How far numbers may run ahead of the clock.
    package static let aheadMaxMilliseconds: Int64 = 5_000
    package static let slots = 0...63
    private static let sequenceMax: Int64 = 31
    private static let millisecondMax: Int64 = 1 << 42 - 1

    /// - Parameter after: the last moment of which an earlier holder of the slot may have made numbers.
    /// - Returns: nil for a slot beyond 0…63.
    package init?(slot: Int, after: Timestamp? = nil) {
        guard Self.slots.contains(slot) else { return nil }
        self.slot = slot
        millisecond = after.map(Self.milliseconds) ?? -1
        // The next number then opens a millisecond of its own.
        sequence = Self.sequenceMax
    }

    /// The next number, larger than all before; nil if it would run more than five seconds ahead of the clock, which
    /// means that the clock stepped back or that more than 32 numbers a millisecond are asked for: answer 503.
    package mutating func next(at now: Timestamp) -> Int64? {
        let clock = Self.milliseconds(now)
        guard clock >= 0 else { return nil }
        var next = (millisecond, sequence)
        if clock > millisecond {
            next = (clock, 0)
        } else if sequence < Self.sequenceMax {
            next.1 += 1
        } else {
            next = (millisecond + 1, 0)
        }
        guard next.0 <= clock + Self.aheadMaxMilliseconds, next.0 <= Self.millisecondMax else { return nil }
        (millisecond, sequence) = next
        return millisecond << 11 | Int64(slot) << 5 | sequence
    }

    /// The next number as a row's own type.
    @inlinable
    package mutating func identifier<Kind>(at now: Timestamp) -> Identifier<Kind>? {
        guard let number = next(at: now) else { return nil }
        return Identifier(rawValue: number)
    }

    /// The moment, to the millisecond, at which a number was made.
    package static func moment(of number: Int64) -> Timestamp {
        Timestamp(microseconds: (number >> 11 + epochMilliseconds) * 1_000)
    }

    private static func milliseconds(_ moment: Timestamp) -> Int64 {
        let milliseconds =
            moment.microseconds >= 0 ? moment.microseconds / 1_000 : (moment.microseconds - 999) / 1_000
        return milliseconds - epochMilliseconds
    }
}
