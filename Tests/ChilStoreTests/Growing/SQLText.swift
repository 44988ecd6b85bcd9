import Foundation

/// The tables in a statement, found by the words before them: enough for the SQL that is written here.
struct SQLText {
    struct Insert {
        let table: String
        let firstColumn: String
        /// Of `values` or `select`.
        let firstValue: String
    }

    private let text: String

    init(_ text: String) {
        self.text = text.replacing(#/\s+/#, with: " ")
    }

    /// All of them, as often as they stand there.
    var tables: [String] { tablesRead + inserts.map(\.table) }

    /// Read, updated or deleted from: each needs its tenant.
    var tablesRead: [String] {
        text.matches(
            of: #/\b(?<word>from|join|update|using) (only )?(?<table>[a-z_]+)\b(?! ?\()/#.wordBoundaryKind(.simple)
        ).filter { match in
            // `for update of`, `for no key update`, `do update`, `is distinct from`, `extract(x from y)` name none.
            let before = text[..<match.range.lowerBound]
            return match.word == "update"
                ? !before.hasSuffix("for ") && !before.hasSuffix("key ") && !before.hasSuffix("do ")
                : !before.hasSuffix("distinct ")
        }.map { String($0.table) }
    }

    var inserts: [Insert] {
        text.matches(
            of:
                #/insert into (?<table>[a-z_]+)( as \w+)? \( ?(?<column>\w+)[^)]*\) (overriding \w+ value )?(?<how>values|select) ?\(? ?(?<value>\$?[\w.':]+)/#
        )
        .map { Insert(table: String($0.table), firstColumn: String($0.column), firstValue: String($0.value)) }
    }
}
