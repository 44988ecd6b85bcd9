import ChilMedia
import ChilMediaTestSupport
import ChilRaster
import Testing

/// Pictures as pages are made of them, by the real program.
@Suite("Page") struct PageTests {
    @Test(arguments: [false, true], [false, true])
    func aPictureIsTurnedWithItsSheet(_ isTurned: Bool, _ isGrey: Bool) async throws {
        let made = try await Rasterizer().page(
            of: RasterImage(Self.quarters.file(), .png),
            width: 30,
            height: 30,
            isTurned: isTurned,
            isGrey: isGrey
        )
        let facts = try ImageProbe.facts(of: made.bytes)
        // 60 × 40, shrunk to what 30 × 30 holds.
        #expect(facts.width == (isTurned ? 20 : 30) && facts.height == (isTurned ? 30 : 20))
        #expect(!facts.isInterlaced && !facts.hasTransparency)
        let sample = try await Rasterizer().sheet(
            of: made,
            left: 10,
            top: 5,
            width: facts.width,
            height: facts.height,
            on: (width: 100, height: 100),
            isTurned: false
        )
        let sheet = try ImageProbe.facts(of: sample.bytes)
        #expect(sheet.mediaType == .jpeg && sheet.width == 100 && sheet.height == 100)
    }

    @Test func nothingIsEnlarged() async throws {
        let made = try await Rasterizer().page(
            of: RasterImage(Self.quarters.file(), .png),
            width: 6_000,
            height: 4_000,
            isTurned: false,
            isGrey: false
        )
        #expect(try ImageProbe.facts(of: made.bytes).width == 60)
    }

    @Test func whatIsNoPictureIsNoPage() async throws {
        await #expect(throws: RasterFault.self) {
            try await Rasterizer().page(
                of: RasterImage(Array(Self.quarters.file().prefix(60)), .png),
                width: 10,
                height: 10,
                isTurned: false,
                isGrey: true
            )
        }
    }

    private static let quarters = PNGMaker(width: 60, height: 40) { x, y in
        [x < 30 ? 200 : 20, y < 20 ? 30 : 220, 90]
    }
}
