import ChilCore
import Testing

@testable import ChilConsole

@Suite struct PictureTests {
    @Test func bytesHaveToBeThere() {
        #expect(Picture(width: 2, height: 2, bytes: [0, 0, 0]) == nil)
        #expect(Picture(width: 0, height: 2, bytes: []) == nil)
        #expect(Picture(width: 99_999, height: 1, bytes: []) == nil)
    }

    @Test(arguments: [(100, 100), (1_000, 10), (10, 1_000), (1, 1)])
    func itsShapeIsKept(_ width: Int, _ height: Int) throws {
        let picture = try #require(
            Picture(width: width, height: height, bytes: Array(repeating: 9, count: width * height * 3))
        )
        let box = PictureBox(ScreenSize(80, 24), Sample.fine)
        let (columns, rows) = box.shape(of: picture)
        #expect((1...78).contains(columns))
        #expect((1...19).contains(rows))
        // Cells are twice as high as wide.
        if width == height { #expect(abs(columns - rows * 2) <= 2) }
    }

    @Test func sixelsAreByColour() throws {
        let picture = try #require(Picture(width: 2, height: 1, bytes: [255, 0, 0, 0, 0, 255]))
        let text = String(decoding: TerminalPicture.sixel(picture, width: 8, height: 6), as: UTF8.self)
        #expect(text == "\u{1B}P0;1q\"1;1;8;6#5;2;0;0;100#180;2;100;0;0#5!4?!4~$#180!4~!4?$-\u{1B}\\")
    }

    @Test func kittyGetsPieces() throws {
        let picture = try #require(Picture(width: 64, height: 32, bytes: Array(repeating: 7, count: 64 * 32 * 3)))
        let text = String(decoding: TerminalPicture.kitty(picture, columns: 10, rows: 5), as: UTF8.self)
        let pieces = text.components("\u{1B}\\")
        #expect(pieces.count == 2)
        #expect(pieces[0].hasPrefix("\u{1B}_Ga=T,f=24,s=64,v=32,c=10,r=5,C=1,q=2,m=1;"))
        #expect(pieces[1].hasPrefix("\u{1B}_Gm=0;"))
        let letters = pieces.map { $0.split(separator: ";")[1] }.joined()
        #expect(Base64.decode(letters) == picture.bytes)
    }
}

extension String {
    fileprivate func components(_ end: String) -> [Substring] { split(separator: end) }
}
