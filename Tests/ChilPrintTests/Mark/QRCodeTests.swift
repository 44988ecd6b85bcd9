import Testing

@testable import ChilPrint

@Suite("QR code")
struct QRCodeTests {
    /// The example of ISO/IEC 18004 annex I: "01234567", level M.
    static let example: [UInt8] = [
        0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
    ]

    @Test func checkCodewordsAreTheStandards() {
        #expect(
            ReedSolomon.check(Self.example, count: 10)
                == [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55]
        )
    }

    @Test func theFormatIsTheStandards() {
        // Annex C: level M with mask 101; annex I: with mask 010.
        #expect(QRFrame.formatWord(level: 0, mask: 0b101) == 0b100_0000_1100_1110)
        #expect(QRFrame.formatWord(level: 0, mask: 0b010) == 0b101_1110_0111_1100)
    }

    @Test func theExampleIsRead() throws {
        let code = QRCode(data: Self.example, version: QRCode.Version.all[0], mask: 0b010)
        #expect(try ReadMark.text(of: code) == "01234567")
    }

    @Test(arguments: [1, 13, 14, 15, 26, 27, 42, 43, 61, 62]) func everyLengthIsRead(_ count: Int) throws {
        let text = String((0..<count).map { Character(Unicode.Scalar(UInt8(33 + $0 * 7 % 90))) })
        let code = try #require(QRCode(text))
        #expect(code.side == (count <= 14 ? 21 : count <= 26 ? 25 : count <= 42 ? 29 : 33))
        #expect(try ReadMark.text(of: code) == text)
        #expect(try ReadMark.text(of: code.turnedLeft) == text)
    }

    @Test(arguments: 0..<8) func everyMaskIsRead(_ mask: Int) throws {
        for version in QRCode.Version.all {
            let data = [UInt8](repeating: 0x20, count: version.dataCount - 2)
            let bits =
                [0x40 | UInt8(data.count >> 4), UInt8(data.count & 15) << 4 | 2] + data.dropFirst().map { _ in 0x02 }
                + [0x00]
            #expect(bits.count == version.dataCount)
            let code = QRCode(data: bits, version: version, mask: mask)
            #expect(try ReadMark.text(of: code).count == data.count)
        }
    }

    @Test func tooLongIsNone() {
        #expect(QRCode(String(repeating: "a", count: 63)) == nil)
        #expect(QRCode("")?.side == 21)
    }

    /// Level M mends up to an eighth of the codewords.
    @Test func aSpotOfPaintIsMended() throws {
        let code = try #require(QRCode("c1abcdefghijk0123456789xyz"))
        #expect(try ReadMark.text(of: code, spot: (14, 14, 4)) == "c1abcdefghijk0123456789xyz")
    }

    @Test func theMaskWithTheLeastPenaltyIsTaken() throws {
        let data = [UInt8](repeating: 0, count: 28)
        let penalties = (0..<8).map { QRCode(data: data, version: QRCode.Version.all[1], mask: $0).penalty }
        #expect(QRCode(data: data, version: QRCode.Version.all[1]).penalty == penalties.min())
        #expect(penalties.max()! > penalties.min()!)
    }
}
