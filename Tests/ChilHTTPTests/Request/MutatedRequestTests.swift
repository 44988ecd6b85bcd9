import ChilHTTP
import Testing

/// Requests with a few bytes changed, left out or doubled by a fixed random sequence: no crash, and one answer for both cuts.
struct MutatedRequestTests {
    /// SplitMix64: the same sequence in each run.
    private struct FixedRandom: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }

    private static let seeds = [
        "GET /t/drawings/7?page=%31 HTTP/1.1\r\nHost: a.b:1\r\nAccept: */*\r\nRange: bytes=0-1\r\n\r\n",
        "POST http://[::1]:8/x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close, x\r\n\r\nabcGET / HTTP/1.1\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2;a=\"b\"\r\nab\r\n0\r\nX: y\r\n\r\n",
    ]
    private static let telling: [UInt8] = Array("\r\n\0 \t:;,=\"%/?#[]@0afA{\u{7F}".utf8) + [0x80, 0xFF]

    @Test func answerDoesNotDependOnPacketBorders() throws {
        var random = FixedRandom(state: 1)
        for round in 0..<6_000 {
            var bytes = Array(Self.seeds[round % Self.seeds.count].utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(bytes[place], at: place)
                default: bytes[place] = try #require(Self.telling.randomElement(using: &random))
                }
            }
            let whole = Transcript.reading([bytes[...]], bodyBytesMax: 1_000)
            let single = Transcript.reading(bytes.indices.map { bytes[$0...$0] }, bodyBytesMax: 1_000)
            let border = Int.random(in: bytes.indices, using: &random)
            let halves = Transcript.reading([bytes[..<border], bytes[border...]], bodyBytesMax: 1_000)
            #expect(whole == single && whole == halves, "round \(round)")
        }
    }
}
