import ChilCore
import ChilCrypto
import Testing

@testable import ChilAPI

struct DrawingJSONTests {
    struct Sample: CustomTestStringConvertible {
        let testDescription: String
        let number: Int64
        let pixels: Int32
        let moments: (Timestamp, Timestamp)
        let text: String?
        let hashBytes: Int?
    }

    static let early = Timestamp(microseconds: 0)
    static let samples = [
        Sample(
            testDescription: "no image, no texts",
            number: 1,
            pixels: 0,
            moments: (early, early),
            text: nil,
            hashBytes: nil
        ),
        Sample(
            testDescription: "usual",
            number: 42,
            pixels: 512,
            moments: (early, early),
            text: "a cat",
            hashBytes: 32
        ),
        Sample(
            testDescription: "nothing could be longer",
            number: .min,
            pixels: .min,
            moments: (Timestamp(microseconds: .max), Timestamp(microseconds: .min)),
            text: String(repeating: "\u{1}\u{2028}", count: 500),
            hashBytes: 32
        ),
        Sample(
            testDescription: "a hash of another length",
            number: .max,
            pixels: .max,
            moments: (early, early),
            text: "",
            hashBytes: 5
        ),
    ]

    /// The room for a row is counted beforehand, and a byte more would stop the program.
    @Test(arguments: samples)
    func aRowFitsItsRoom(_ sample: Sample) throws {
        let base = "https://example.org/north/drawings/"
        let json = DrawingJSON(
            signedURL: SignedURL(keys: [255: SecretBytes(copying: [1])]),
            base: base,
            tenant: TenantID(rawValue: 7),
            expiry: .max
        )
        var body = ByteWriter(capacity: 0)
        let word = Array("ANIMATED".utf8)
        let text = sample.text.map { Array($0.utf8) }
        let hash = sample.hashBytes.map { [UInt8](repeating: 9, count: $0) }
        word.withUnsafeBytes { word in
            (text ?? []).withUnsafeBytes { textBytes in
                (hash ?? []).withUnsafeBytes { hashBytes in
                    let fields = DrawingJSON.Fields(
                        id: DrawingID(rawValue: sample.number),
                        type: word,
                        status: word,
                        title: text == nil ? nil : textBytes,
                        prompt: text == nil ? nil : textBytes,
                        hash: hash == nil ? nil : hashBytes,
                        width: sample.pixels,
                        height: sample.pixels,
                        mediaType: word,
                        byteCount: sample.number,
                        createdAt: sample.moments.0,
                        updatedAt: sample.moments.1
                    )
                    json.append(fields, to: &body)
                }
            }
        }
        let read = try #require(try StrictJSON.parse(body.finish()).object)
        #expect(read["title"]?.string == sample.text && read["prompt"]?.string == sample.text)
        let url = read["url"]?.string
        #expect(url?.hasPrefix("\(base)\(sample.number)/image?e=\(Int64.max)&k=255&s=") ?? (hash == nil))
        #expect((read["createdAt"]?.string == read["updatedAt"]?.string) == (sample.moments.0 == sample.moments.1))
    }
}
