import Foundation
import Testing

@testable import ChilAdmin

@Suite struct JSONTextTests {
    @Test(arguments: [
        (#"a"b\c"#, #""a\"b\\c""#), ("\n\r\t", #""\n\r\t""#), ("\u{1B}", #""\u001b""#), ("\u{9B}", #""\u009b""#),
        ("\u{202E}", #""\u202e""#), ("\u{E0041}", #""\udb40\udc41""#), ("칠😀/", #""칠😀/""#), ("\0", #""\u0000""#),
    ])
    func quotes(_ text: String, _ quoted: String) {
        #expect(JSONText.string(text) == quoted)
    }

    @Test func naughtyStringsComeBackUnchanged() throws {
        for text in try naughtyStrings() {
            let json = "[\(JSONText.string(text))]"
            let back = try JSONDecoder().decode([String].self, from: Data(json.utf8))
            #expect(back.first.map { Array($0.utf8) } == Array(text.utf8))
            #expect(!json.unicodeScalars.contains(where: CleanText.isUnsafe))
        }
    }
}
