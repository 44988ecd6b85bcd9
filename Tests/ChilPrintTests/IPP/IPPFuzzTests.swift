import ChilPrint
import Testing

/// Whatever a printer, or something that is none, sends back: the decoder answers a message or a fault, in little time and memory.
@Suite("IPP fuzz")
struct IPPFuzzTests {
    /// SplitMix64: the same numbers for the same seed.
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static func sample() throws -> [UInt8] {
        var media: [IPPValue] = []
        for (width, height) in [(21_000, 29_700), (10_000, 14_800)] {
            media.append(
                .collection([
                    IPPAttribute(
                        "media-size",
                        .collection([
                            IPPAttribute("x-dimension", .integer(Int32(width))),
                            IPPAttribute("y-dimension", .integer(Int32(height))),
                        ])
                    ),
                    IPPAttribute("media-left-margin", .integer(300)), IPPAttribute("media-right-margin", .integer(300)),
                    IPPAttribute("media-top-margin", .integer(300)), IPPAttribute("media-bottom-margin", .integer(300)),
                    IPPAttribute("media-size-name", .keyword("iso_a4_210x297mm")),
                ])
            )
        }
        let printer = IPPMessage.Group(
            .printer,
            [
                IPPAttribute("printer-make-and-model", .textWithLanguage(language: "ko", text: "그림 프린터")),
                IPPAttribute("printer-state", .enumeration(5)),
                IPPAttribute("printer-state-reasons", .keyword("media-empty"), .keyword("cover-open")),
                IPPAttribute("copies-supported", .range(lower: 1, upper: 99)),
                IPPAttribute("printer-resolution-supported", .resolution(across: 600, along: 600, units: 3)),
                IPPAttribute("printer-current-time", .dateTime([UInt8](repeating: 7, count: 11))),
                IPPAttribute("nothing", .outOfBand(tag: 0x13)),
                IPPAttribute("media-col-ready", values: media),
            ]
        )
        return try IPPMessage(version: .v2_0, code: 0, requestID: 1, groups: [printer]).encoded()
    }

    private static func mutated(_ bytes: [UInt8], _ random: inout Seeded) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...9, using: &random)))
            case 3: bytes.insert(contentsOf: bytes[at...].prefix(Int.random(in: 1...40, using: &random)), at: at)
            case 4: bytes.removeLast(bytes.count - at)
            // The bytes that mean most: delimiters, collections, lengths.
            case 5:
                bytes[at] =
                    [0x00, 0x01, 0x03, 0x05, 0x34, 0x37, 0x4A, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            case 6: bytes.insert(contentsOf: [0x34, 0, 0, 0, 0], at: at)
            default:
                bytes.append(
                    contentsOf: (0..<Int.random(in: 1...64, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
                )
            }
        }
        return bytes
    }

    @Test(arguments: 1...8) func mutationsAreSurvived(_ seed: Int) throws {
        let sample = try Self.sample()
        var random = Seeded(state: UInt64(seed))
        var readable = 0
        for _ in 0..<5_000 {
            let bytes = Self.mutated(sample, &random)
            guard let message = try? IPPMessage(decoding: bytes) else { continue }
            readable += 1
            // What is read can be said again, and means the same.
            let again = try IPPMessage(decoding: message.encoded())
            if again != message { Issue.record("seed \(seed): \(bytes)") }
            for group in message.groups {
                let printer = PrinterSnapshot(group)
                for media in printer.mediaColReady {
                    #expect(media.width > 0 && media.height > 0)
                    if let margins = media.margins { #expect(margins.left + margins.right < media.width) }
                }
            }
        }
        #expect(readable > 100, "the mutations are gentle enough to reach the inside")
    }

    @Test(arguments: 1...4) func noiseIsSurvived(_ seed: Int) {
        var random = Seeded(state: UInt64(seed) << 32)
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...200, using: &random)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            if count > 8 { bytes.replaceSubrange(0..<9, with: [2, 0, 0, 0, 0, 0, 0, 1, 4]) }
            _ = try? IPPMessage(decoding: bytes)
        }
    }

    /// A message within its size can't take much more than that: no value is copied more than once for each level.
    @Test func theLargestMessagesAreReadOrRefused() {
        let head: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 1, 4]
        let long = [UInt8](repeating: 0x61, count: 32_767)
        let value: [UInt8] = [0x44, 0, 1, 0x61, 0x7F, 0xFF] + long
        let whole = head + (0..<31).flatMap { _ in value } + [3]
        #expect((try? IPPMessage(decoding: whole))?.groups.first?.attributes.count == 31)
        let over = head + (0..<33).flatMap { _ in value } + [3]
        #expect(throws: IPPCodingFault.tooLarge(byteCountMax: 1_048_576)) { try IPPMessage(decoding: over) }
        // A set of a hundred thousand values, each of no byte.
        let set = head + [0x44, 0, 1, 0x61, 0, 0] + (0..<100_000).flatMap { _ in [0x44, 0, 0, 0, 0] as [UInt8] } + [3]
        #expect((try? IPPMessage(decoding: set))?.groups.first?.attributes.first?.values.count == 100_001)
    }
}
