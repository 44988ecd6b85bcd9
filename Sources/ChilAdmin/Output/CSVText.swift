/// Comma-separated values (RFC 4180): lines end with CR LF, a value with a comma, a quote or a line break is quoted.
///
/// No value is changed so that a spreadsheet likes it better: one that begins with `=`, `+`, `-` or `@` stays as it is, and whoever
/// opens the file in a spreadsheet reads the column as text. Only what a terminal would obey is replaced, as in tables (JSON has
/// it); line feeds and tabs stay. A missing value is empty, an empty text is `""`, a list is a JSON array.
enum CSVText {
    static func line(_ fields: [Field]) -> String {
        fields.map(value).joined(separator: ",") + "\r\n"
    }

    static func value(_ field: Field) -> String {
        switch field {
        case .text(let text): text.isEmpty ? "\"\"" : quoted(clean(text))
        case .number(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .list: quoted(JSONText.value(field))
        case .none: ""
        }
    }

    private static func quoted(_ text: String) -> String {
        let wantsQuotes = text.utf8.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D || byte == 0x09
        }
        let hasEdge = text.utf8.first == 0x20 || text.utf8.last == 0x20
        guard wantsQuotes || hasEdge else { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" { quoted.unicodeScalars.append("\"") }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    private static func clean(_ text: String) -> String {
        text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map { CleanText.clean(String($0)) }
                .joined(separator: "\t")
        }.joined(separator: "\n")
    }
}
