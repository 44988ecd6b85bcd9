import Testing

@testable import ChilSketch

@Suite struct DiceTests {
    /// The generator's published sequence for this seed.
    @Test func throwsWhatSplitMixThrows() {
        var dice = Dice(seed: 1_234_567)
        let thrown = [dice.next(), dice.next(), dice.next()]
        #expect(thrown == [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }

    @Test func staysInItsRange() {
        var dice = Dice(seed: 0)
        var seen: Set<Int> = []
        for _ in 0..<500 {
            #expect((2..<3).contains(dice.between(2, 3)))
            seen.insert(dice.whole(0...4))
        }
        #expect(seen == [0, 1, 2, 3, 4])
        #expect(Set(dice.shuffled(Array(0..<9))) == Set(0..<9))
    }
}
