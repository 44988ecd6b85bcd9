import ChilCore
import Testing

struct IDGeneratorTests {
    static let now = Timestamp(seconds: 1_796_019_013)

    @Test
    func partsAreWhereTheyBelong() throws {
        var generator = try #require(IDGenerator(slot: 63))
        let number = try #require(Self.next(of: &generator, at: Self.now))
        #expect(number == (1_796_019_013_000 - IDGenerator.epochMilliseconds) << 11 | 63 << 5)
        #expect(Self.next(of: &generator, at: Self.now) == number + 1)
        #expect(IDGenerator.moment(of: number) == Self.now)
        #expect(number < 1 << 53)
    }

    @Test(arguments: [-1, 64, .max])
    func slotsAreSixBits(_ slot: Int) {
        #expect(IDGenerator(slot: slot) == nil)
    }

    @Test
    func clockThatStepsBackChangesNothing() throws {
        var generator = try #require(IDGenerator(slot: 1))
        var last = try #require(Self.next(of: &generator, at: Self.now))
        for step in [1, 5, 1_000, 4_999] {
            let number = try #require(Self.next(of: &generator, at: Self.now - .milliseconds(step)))
            #expect(number > last)
            last = number
        }
        #expect(Self.next(of: &generator, at: Self.now - .milliseconds(5_001)) == nil)
        let number = generator.next(at: Self.now)
        #expect(try #require(number) > last)
    }

    @Test
    func borrowsFiveSecondsAndNoMore() throws {
        var generator = try #require(IDGenerator(slot: 0))
        var last: Int64 = -1
        var count = 0
        while let number = generator.next(at: Self.now) {
            guard number > last else {
                Issue.record("\(number) after \(last)")
                return
            }
            last = number
            count += 1
        }
        #expect(count == 5_001 * 32)
        #expect(Self.next(of: &generator, at: Self.now) == nil)
        let number = generator.next(at: Self.now + .milliseconds(1))
        #expect(try #require(number) > last)
    }

    @Test
    func takesUpAfterAnEarlierHolder() throws {
        var first = try #require(IDGenerator(slot: 7))
        let number = try #require(Self.next(of: &first, at: Self.now))
        var second = try #require(IDGenerator(slot: 7, after: Self.now))
        let later = second.next(at: Self.now)
        #expect(try #require(later) > number)
    }

    @Test
    func momentsBeyondTheBitsAreRefused() throws {
        var generator = try #require(IDGenerator(slot: 0))
        #expect(Self.next(of: &generator, at: Timestamp(seconds: 0)) == nil)
        #expect(
            Self.next(of: &generator, at: Timestamp(microseconds: (IDGenerator.epochMilliseconds + 1 << 42) * 1_000))
                == nil
        )
    }

    /// The testing macros cannot call what mutates.
    private static func next(of generator: inout IDGenerator, at now: Timestamp) -> Int64? {
        generator.next(at: now)
    }
}
