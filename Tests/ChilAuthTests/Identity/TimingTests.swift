import ChilAuth
import ChilCore
import ChilCrypto
import Testing

/// What the time of an answer tells of a bad signature: nothing.
@Suite(.serialized) struct TimingTests {
    /// Of as many tokens as the catalogue has, half with their signature's first byte wrong and half with its last, in turns.
    private static let count = 10_000

    /// Welch's t of two samples, each without its slowest tenth: what interrupted it was no check.
    private static func welch(_ first: [Double], _ second: [Double]) -> Double {
        func facts(_ sample: [Double]) -> (mean: Double, error: Double) {
            let kept = sample.sorted().prefix(sample.count * 9 / 10)
            let mean = kept.reduce(0, +) / Double(kept.count)
            let variance = kept.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(kept.count - 1)
            return (mean, variance / Double(kept.count))
        }
        let (a, b) = (facts(first), facts(second))
        return abs(a.mean - b.mean) / (a.error + b.error).squareRoot()
    }

    /// Each token is of its own: with one token, the numbers themselves take their time, which tells nothing of a key that is public.
    @Test("J-19 where a signature is wrong does not show in the time")
    func whereASignatureIsWrongDoesNotShow() throws {
        let fixture = try IdentityVerifierTests.Fixture()
        let clock = ContinuousClock()
        var times: [[Double]] = [[], []]
        for number in 0..<Self.count {
            var token = try fixture.token(["sub": "\"user-\(number)\""])
            let signature = token.lastIndex(of: UInt8(ascii: "."))! + 1
            // The first character is the first byte's; the last but one is wholly the last byte's.
            let place = number % 2 == 0 ? signature : token.count - 2
            token[place] = token[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            guard
                case .needsKey(let checked) = IdentityVerifier.precheck(
                    token,
                    providers: [IdentityVerifierTests.provider(.client)],
                    nonce: IdentityVerifierTests.nonce,
                    userID: nil,
                    at: IdentityVerifierTests.now
                )
            else {
                Issue.record("refused before its signature was looked at")
                return
            }
            let begun = clock.now
            let verdict = IdentityVerifier.verify(checked, with: fixture.keys)
            let elapsed = clock.now - begun
            guard case .rejected(.badSignature) = verdict else {
                Issue.record("accepted, or refused for something else")
                return
            }
            times[number % 2].append(Double(elapsed.components.attoseconds) / 1e9)
        }
        #expect(Self.welch(times[0], times[1]) < 4.5)
    }
}
