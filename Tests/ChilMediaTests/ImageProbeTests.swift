import ChilMedia
import ChilMediaTestSupport
import Foundation
import Testing

/// A file and the one thing that the probe must say of it.
struct ProbeRow: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let fault: ImageFault?

    init(_ name: String, _ bytes: [UInt8], _ fault: ImageFault? = nil) {
        self.name = name
        self.bytes = bytes
        self.fault = fault
    }

    var testDescription: String { name }
}

@Suite("Image probe")
struct ImageProbeTests {
    @Test(arguments: PNGRows.all + JPEGRows.all + foreignRows)
    func saysTheExactVerdict(_ row: ProbeRow) {
        var fault: ImageFault?
        do { _ = try ImageProbe.facts(of: row.bytes) } catch { fault = error }
        #expect(fault == row.fault)
    }

    @Test(arguments: PNGRows.all + JPEGRows.all + foreignRows)
    func verdictDoesNotDependOnTheCuts(_ row: ProbeRow) {
        let whole = verdict([row.bytes])
        #expect(verdict(row.bytes.map { [$0] }) == whole)
        for split in 0...min(row.bytes.count, 400) {
            let verdict = verdict([Array(row.bytes[..<split]), Array(row.bytes[split...])])
            #expect(verdict == whole, "split at \(split)")
        }
    }

    @Test(arguments: (PNGRows.all + JPEGRows.all).filter { $0.fault == nil })
    func everyTruncationIsRefused(_ row: ProbeRow) {
        for end in row.bytes.indices {
            #expect(throws: ImageFault.self, "cut at \(end)") { try ImageProbe.facts(of: Array(row.bytes[..<end])) }
        }
    }

    @Test(arguments: (PNGRows.all + JPEGRows.all).filter { $0.fault == nil })
    func anyChangedByteIsSurvived(_ row: ProbeRow) {
        for index in row.bytes.indices {
            for value in [0x00, 0xFF, row.bytes[index] ^ 0x10, row.bytes[index] &+ 1] {
                var bytes = row.bytes
                bytes[index] = value
                _ = verdict([bytes])
            }
        }
    }

    @Test func everyChangedBitOfAPNGIsFound() {
        let bytes = PNGMaker(width: 3, height: 2) { [$0, $1, 9] }.file()
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                #expect(throws: ImageFault.self, "byte \(index) bit \(bit)") { try ImageProbe.facts(of: changed) }
            }
        }
    }

    @Test func randomBytesAreSurvived() {
        var random = SystemRandomNumberGenerator()
        for round in 0..<2_000 {
            var bytes = (0..<Int.random(in: 0..<300)).map { _ in UInt8.random(in: 0...255, using: &random) }
            if round % 3 == 0 { bytes = PNGMaker.signature + bytes }
            if round % 3 == 1 { bytes = [0xFF, 0xD8, 0xFF] + bytes }
            _ = verdict([bytes])
        }
    }

    @Test func tooManyBytesAreRefusedAsSoonAsTheyCome() {
        var probe = ImageProbe(limits: ImageLimits(byteCountMax: 100, sideMax: 10, pixelCountMax: 100))
        #expect(probe.received([UInt8](repeating: 0x20, count: 60)) == nil)
        #expect(probe.received([UInt8](repeating: 0x20, count: 60)) == .tooManyBytes(max: 100))
        #expect(throws: ImageFault.tooManyBytes(max: 100)) { try probe.finish() }
    }

    @Test func everySentenceSaysWhatToDo() {
        let faults: [ImageFault] = [
            .empty, .unsupportedFormat(.heic), .unrecognised, .unsupportedFeature(.arithmeticJPEG), .truncated,
            .damaged(.checksum), .tooManyBytes(max: 1), .sideTooLong(max: 1), .tooManyPixels(max: 1),
        ]
        for fault in faults {
            #expect(fault.sentence.contains("send") || fault.sentence.contains("scale"), "\(fault)")
        }
        #expect(ImageFault.unsupportedFormat(.heic).sentence == "This is HEIC; send it as PNG or JPEG.")
    }

    private func verdict(_ pieces: [[UInt8]]) -> Result<ImageFacts, ImageFault> {
        var probe = ImageProbe()
        for piece in pieces {
            if let fault = probe.received(piece) { return .failure(fault) }
        }
        do { return .success(try probe.finish()) } catch { return .failure(error) }
    }
}

private let foreignRows = [
    ProbeRow("nothing", [], .empty),
    ProbeRow("one byte of PNG", [0x89], .unrecognised),
    ProbeRow("GIF", Array("GIF89a".utf8) + [1, 0, 1, 0], .unsupportedFormat(.gif)),
    ProbeRow("WebP", Array("RIFF\u{1}\0\0\0WEBPVP8 ".utf8), .unsupportedFormat(.webP)),
    ProbeRow("HEIC", [0, 0, 0, 24] + Array("ftypheic\0\0\0\0mif1".utf8), .unsupportedFormat(.heic)),
    ProbeRow("AVIF", [0, 0, 0, 24] + Array("ftypavif\0\0\0\0mif1".utf8), .unsupportedFormat(.avif)),
    ProbeRow("MP4", [0, 0, 0, 24] + Array("ftypisom\0\0\0\0".utf8), .unrecognised),
    ProbeRow("SVG", Array("  <svg xmlns='http://www.w3.org/2000/svg'/>".utf8), .unsupportedFormat(.svg)),
    ProbeRow("SVG behind a declaration", Array("<?xml version='1.0'?><SVG/>".utf8), .unsupportedFormat(.svg)),
    ProbeRow("HTML", Array("<!doctype html><script>alert(1)</script>".utf8), .unsupportedFormat(.markup)),
    ProbeRow("PDF", Array("%PDF-1.7".utf8), .unsupportedFormat(.pdf)),
    ProbeRow("TIFF", [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], .unsupportedFormat(.tiff)),
    ProbeRow("BMP", Array("BM".utf8) + [0, 0, 0, 0], .unsupportedFormat(.bmp)),
    ProbeRow("text", Array("hello".utf8), .unrecognised),
]
