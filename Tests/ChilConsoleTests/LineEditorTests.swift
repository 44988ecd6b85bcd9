import Testing

@testable import ChilConsole

@Suite struct LineEditorTests {
    @Test(arguments: [
        ([Key.text("한"), .text("글"), .backspace], "한", 1),
        // A syllable of three pieces is one character.
        ([.text("\u{1112}"), .text("\u{1161}"), .text("\u{11AB}")], "\u{1112}\u{1161}\u{11AB}", 1),
        ([.text("\u{1112}"), .text("\u{1161}"), .text("a"), .left, .text("\u{11AB}")], "\u{1112}\u{1161}\u{11AB}a", 1),
        ([.text("a"), .text("b"), .left, .text("c")], "acb", 2),
        ([.text("a"), .home, .delete, .delete], "", 0),
        ([.paste("a\u{1B}[31mb\nsecond")], "a[31mb", 6),
        ([.paste("one two"), .control("w")], "one ", 4),
        ([.paste("one two"), .left, .control("u")], "o", 0),
        ([.paste("e"), .text("\u{301}"), .backspace], "", 0),
    ])
    func keysEdit(_ keys: [Key], _ text: String, _ place: Int) {
        var editor = LineEditor()
        for key in keys {
            let isEditing = editor.received(key)
            #expect(isEditing)
        }
        #expect(editor.text == text)
        #expect(editor.place == place)
    }

    @Test func itsLengthIsBounded() {
        var editor = LineEditor()
        for _ in 0..<300 { _ = editor.received(.text("가")) }
        #expect(editor.text.count == 200)
    }

    @Test func otherKeysAreNotItsOwn() {
        var editor = LineEditor()
        for key in [Key.enter, .up, .escape] {
            let isEditing = editor.received(key)
            #expect(!isEditing)
        }
    }
}
