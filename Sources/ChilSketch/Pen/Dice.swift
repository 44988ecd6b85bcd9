/// The chance of a page: the same seed throws the same (SplitMix64; Steele, Lea, Flood 2014).
struct Dice: Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Of 53 bits, so that it is exact.
    mutating func share() -> Double {
        Double(next() >> 11) / 9_007_199_254_740_992
    }

    mutating func between(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * share()
    }

    mutating func whole(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(share() * Double(range.count))
    }

    mutating func chance(_ probability: Double) -> Bool {
        share() < probability
    }

    /// `choices` has one at least.
    mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
        choices[whole(0...choices.count - 1)]
    }

    mutating func shuffled<Choice>(_ choices: [Choice]) -> [Choice] {
        var mixed = choices
        for index in mixed.indices.dropLast() { mixed.swapAt(index, whole(index...mixed.count - 1)) }
        return mixed
    }

    /// Dice of their own for a part, so that what it throws moves nothing elsewhere.
    mutating func branch() -> Dice {
        Dice(seed: next())
    }
}
