/// JSON for a terminal or a pipe (RFC 8259): two spaces of indentation, members in the order of the columns.
///
/// More is escaped than JSON asks for: whatever a terminal could obey or hide is written `\uXXXX`, so that hostile names can
/// be looked at. The value is the same.
enum JSONText {
    static func array(_ objects: [[(String, Field)]]) -> String {
        guard !objects.isEmpty else { return "[]" }
        return "[\n" + objects.map { "  " + object($0, indentation: "  ") }.joined(separator: ",\n") + "\n]"
    }

    static func object(_ members: [(String, Field)], indentation: String = "") -> String {
        let lines = members.map { "\(indentation)  \(string($0.0)): \(value($0.1))" }
        return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
    }

    /// On one line, for streams of objects.
    static func line(_ members: [(String, Field)]) -> String {
        "{" + members.map { "\(string($0.0)): \(value($0.1))" }.joined(separator: ", ") + "}"
    }

    static func value(_ field: Field) -> String {
        switch field {
        case .text(let text): string(text)
        case .number(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .list(let texts): "[" + texts.map(string).joined(separator: ", ") + "]"
        case .none: "null"
        }
    }

    static func string(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where CleanText.isUnsafe(scalar): quoted += escape(scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        String(scalar).utf16.map { unit in
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }
}
