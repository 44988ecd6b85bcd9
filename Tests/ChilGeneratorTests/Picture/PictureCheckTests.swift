import ChilMediaTestSupport
import Testing

@testable import ChilGenerator

@Suite struct PictureCheckTests {
    private func fault(of bytes: [UInt8]) -> PictureCheck.Fault? {
        if case .failure(let fault) = PictureCheck.verdict(on: bytes) { fault } else { nil }
    }

    @Test func linesOnWhiteAreTaken() throws {
        let picture = try PictureCheck.verdict(on: Pages.lineArt).get()
        #expect(picture.mediaType == "image/png" && picture.width == 96 && picture.height == 96)
    }

    @Test(arguments: [(2, true), (6, true), (0, true), (4, false)])
    func whateverTheColours(_ type: Int, _ isInterlaced: Bool) throws {
        var maker = PNGMaker(width: 96, height: 96) { column, _ in
            let grey = column % 8 == 0 ? 0 : 255
            return switch type {
            case 2: [grey, grey, grey]
            // Where it is transparent it is white, whatever its colour.
            case 6: [0, 0, 0, grey == 0 ? 255 : 0]
            case 4: [0, grey == 0 ? 255 : 0]
            default: [grey]
            }
        }
        maker.colourType = type
        maker.isInterlaced = isInterlaced
        _ = try PictureCheck.verdict(on: maker.file()).get()
    }

    @Test func whatCannotBeColouredIsRefused() {
        #expect(fault(of: Pages.blank) == .blank)
        #expect(fault(of: Pages.black) == .black)
        #expect(fault(of: Pages.solid) == .tooMuchInk(percent: 62))
        #expect(fault(of: Pages.small) == .wrongSize(width: 8, height: 8))
    }

    @Test(arguments: [
        [], Array("GIF89a".utf8), Array("<html>".utf8), Array("{}".utf8), Array(Pages.lineArt.dropLast(600)),
        Array(Pages.lineArt.prefix(60)),
    ])
    func whatIsNoPictureIsRefused(_ bytes: [UInt8]) {
        guard case .unreadable = fault(of: bytes) else {
            Issue.record("taken")
            return
        }
    }

    /// Stable Diffusion's servers write the whole prompt into the file.
    @Test func whatIsNotThePictureIsLeftOut() throws {
        let secret = Array("parameters\0a wish of a child".utf8)
        let end = Pages.lineArt.count - 12
        let file = Pages.lineArt[..<end] + PNGMaker.chunk("tEXt", secret) + Pages.lineArt[end...]
        let picture = try PictureCheck.verdict(on: Array(file)).get()
        #expect(!String(decoding: picture.bytes, as: UTF8.self).contains("wish of a child"))
    }

    /// No decoder is at hand: the head, and whether there can be lines in so few bytes.
    @Test func aJPEGIsJudgedByItsHead() throws {
        let lines = JPEGMaker(columns: 12, rows: 12) { column, row in [(column + row) % 3 == 0 ? 0 : 255] }
        let picture = try PictureCheck.verdict(on: lines.file()).get()
        #expect(picture.mediaType == "image/jpeg" && picture.width == 96)
        #expect(fault(of: JPEGMaker(columns: 64, rows: 64) { _, _ in [255] }.file()) == .blank)
    }
}
