import Testing

@testable import ChilAdmin

@Suite struct SuggestionTests {
    @Test(arguments: [
        ("", "", 0), ("a", "", 1), ("", "abc", 3), ("tenant", "tenant", 0), ("tennat", "tenant", 1),
        ("tenat", "tenant", 1),
        ("kitten", "sitting", 3), ("ab", "ba", 1), ("인쇄", "인사", 1),
    ])
    func countsEdits(_ left: String, _ right: String, _ edits: Int) {
        #expect(Suggestion.distance(left, right) == edits)
        #expect(Suggestion.distance(right, left) == edits)
    }

    @Test(arguments: [
        ("tennant", "tenant"), ("quotas", "quota"), ("printers", "printer"), ("prnter", "printer"), ("dve", "dev"),
        ("xyzzy", nil), ("", nil), (String(repeating: "tenant", count: 1_000), nil),
    ])
    func suggestsOnlyWhatIsNear(_ word: String, _ expected: String?) {
        #expect(Suggestion.nearest(to: word, among: CommandTable.nouns.map(\.name)) == expected)
    }
}
