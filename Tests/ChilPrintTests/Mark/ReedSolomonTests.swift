import Testing

@testable import ChilPrint

@Suite("Reed-Solomon")
struct ReedSolomonTests {
    static func codewords(_ seed: UInt64, data: Int = 28, check: Int = 16) -> (words: [UInt8], SeededNumbers) {
        var numbers = SeededNumbers(seed: seed)
        let data = (0..<data).map { _ in UInt8.random(in: 0...255, using: &numbers) }
        return (data + ReedSolomon.check(data, count: check), numbers)
    }

    @Test(arguments: 0...8) func whatIsWrongIsMended(_ wrongCount: Int) throws {
        for seed in 0..<40 {
            var (words, numbers) = Self.codewords(UInt64(seed * 9 + wrongCount))
            let written = words
            for place in Array(words.indices).shuffled(using: &numbers).prefix(wrongCount) {
                words[place] ^= UInt8.random(in: 1...255, using: &numbers)
            }
            #expect(ReedSolomon.mended(words, checkCount: 16) == written)
        }
    }

    /// More than half as many as there are check codewords: nothing, or another word that is one, and never what was written.
    @Test(arguments: [9, 12, 20, 44]) func whatIsTooWrongIsNot(_ wrongCount: Int) {
        var nothing = 0
        for seed in 0..<40 {
            var (words, numbers) = Self.codewords(UInt64(seed * 50 + wrongCount))
            let written = words
            for place in Array(words.indices).shuffled(using: &numbers).prefix(wrongCount) {
                words[place] ^= UInt8.random(in: 1...255, using: &numbers)
            }
            guard let mended = ReedSolomon.mended(words, checkCount: 16) else {
                nothing += 1
                continue
            }
            #expect(mended != written && ReedSolomon.check(mended[..<28], count: 16) == Array(mended[28...]))
        }
        #expect(nothing >= 35)
    }

    @Test func whatIsNoCodeIsNone() {
        #expect(ReedSolomon.mended([], checkCount: 16) == nil)
        #expect(ReedSolomon.mended([1, 2], checkCount: 2) == nil)
        #expect(ReedSolomon.mended([UInt8](repeating: 1, count: 300), checkCount: 16) == nil)
        #expect(ReedSolomon.mended([UInt8](repeating: 0, count: 44), checkCount: 16) != nil)
    }
}

/// The same numbers each time (splitmix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
