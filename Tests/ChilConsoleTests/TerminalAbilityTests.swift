import Testing

@testable import ChilConsole

@Suite struct TerminalAbilityTests {
    @Test(arguments: [
        (
            ["TERM": "xterm-256color", "LANG": "ko_KR.UTF-8"], TerminalAbility.Depth.palette, true,
            TerminalAbility.Pictures.blocks
        ),
        (["TERM": "xterm", "LANG": "C"], .eight, false, .letters),
        (["TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.utf8"], .exact, true, .blocks),
        (["TERM": "xterm-256color", "NO_COLOR": "1", "LANG": "C.UTF-8"], .none, true, .letters),
        (["TERM": "xterm-256color", "NO_COLOR": "", "LANG": "C.UTF-8"], .palette, true, .blocks),
        (["TERM": "xterm", "LC_ALL": "C", "LANG": "C.UTF-8"], .eight, false, .letters),
        (["TERM": "vt220", "LANG": "C.UTF-8"], .none, true, .letters),
    ])
    func theEnvironmentSays(
        _ environment: [String: String],
        _ depth: TerminalAbility.Depth,
        _ isUTF8: Bool,
        _ pictures: TerminalAbility.Pictures
    ) {
        let ability = TerminalAbility(environment: { environment[$0] })
        #expect(ability == TerminalAbility(depth: depth, isUTF8: isUTF8, pictures: pictures))
    }

    @Test(arguments: [[:], ["TERM": ""], ["TERM": "dumb"], ["TERM": "unknown"]])
    func aTerminalThatCannotMoveItsCursorIsNone(_ environment: [String: String]) {
        #expect(TerminalAbility(environment: { environment[$0] }) == nil)
    }

    @Test func answersSayMore() {
        var ability = Sample.fine
        ability.heard(.attributes([4, 22]))
        #expect(ability.pictures == .sixel)
        ability.heard(.kittyPictures(true))
        #expect(ability.pictures == .kitty)
        ability.heard(.cellSize(width: 9, height: 20))
        ability.heard(.cellSize(width: 0, height: 9_999))
        #expect(ability.cellWidth == 9)
        #expect(ability.cellHeight == 20)
    }

    @Test func whoWantsNoColoursGetsNone() {
        var ability = Sample.plain
        ability.heard(.attributes([4]))
        ability.heard(.kittyPictures(true))
        #expect(ability.pictures == .letters)
    }
}
