import ChilDatabase
import Testing

@Suite struct SQLStateRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let state: String
        let decision: SQLStateRule.Decision
        var testDescription: String { state }
    }

    static let rows: [Row] = [
        Row(state: "57P01", decision: .reconnect), Row(state: "57P02", decision: .reconnect),
        Row(state: "57P03", decision: .reconnect), Row(state: "08006", decision: .reconnect),
        Row(state: "40001", decision: .retry), Row(state: "40P01", decision: .retry),
        Row(state: "55P03", decision: .retry), Row(state: "40003", decision: .fail(.outcomeUnknown)),
        Row(state: "57014", decision: .fail(.timedOut)), Row(state: "23505", decision: .fail(.conflict)),
        Row(state: "23P01", decision: .fail(.conflict)), Row(state: "23503", decision: .fail(.constraint)),
        Row(state: "23514", decision: .fail(.constraint)), Row(state: "53100", decision: .fail(.exhausted)),
        Row(state: "53200", decision: .fail(.exhausted)), Row(state: "53300", decision: .fail(.exhausted)),
        Row(state: "42501", decision: .fail(.forbidden)), Row(state: "25006", decision: .fail(.forbidden)),
        Row(state: "25P02", decision: .fail(.broken)), Row(state: "42P01", decision: .fail(.broken)),
        Row(state: "22021", decision: .fail(.broken)), Row(state: "XX000", decision: .fail(.broken)),
    ]

    @Test(arguments: rows)
    func everyStateHasItsDecision(_ row: Row) {
        #expect(SQLStateRule.rule(for: row.state).decision == row.decision)
    }

    @Test func noPrefixStandsTwice() {
        #expect(Set(SQLStateRule.all.map(\.prefix)).count == SQLStateRule.all.count)
    }
}
