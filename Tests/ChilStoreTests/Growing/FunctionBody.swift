import Foundation

/// The statements and expressions with tables in them of one function in `sql/`, each as PostgreSQL would prepare it: variables of the
/// function have become parameters. For the PL/pgSQL that is written here, not for all there is.
struct FunctionBody: Sendable {
    struct Inner: Sendable {
        let text: String
        /// Of `$1…`, as `prepare` takes them; `unknown`: to be found out.
        let types: [String]
    }

    private let names: [String: String]
    private let isScript: Bool
    private let source: String
    /// What variables begin with.
    private let beginnings: [String]

    /// - Parameters:
    ///   - arguments: names and types, results too.
    ///   - language: `sql` or `plpgsql`.
    init(_ source: String, arguments: [(name: String, type: String)], language: String) {
        let clean = source.replacing(#/--[^\n]*/#, with: "").replacing(#/\s+/#, with: " ")
            .trimmingCharacters(in: .whitespaces)
        var names = Dictionary(arguments.map { ($0.name, $0.type) }) { first, _ in first }
        var body = clean
        var beginnings: [String] = []
        isScript = language == "sql"
        if language == "plpgsql" {
            body = body.replacing(#/#variable_conflict \w+ /#, with: "")
            let parts = body.split(separator: " begin ", maxSplits: 1, omittingEmptySubsequences: false)
            if body.hasPrefix("declare "), parts.count == 2 {
                for line in parts[0].dropFirst("declare ".count).split(separator: ";") {
                    let words = line.split(separator: " ", maxSplits: 1)
                    guard words.count == 2 else { continue }
                    let sides = words[1].replacing(#/^constant /#, with: "").components(separatedBy: ":=")
                    names[String(words[0])] = sides[0].trimmingCharacters(in: .whitespaces)
                    beginnings += sides.dropFirst().map { "select " + $0.trimmingCharacters(in: .whitespaces) }
                }
                body = String(parts[1])
            } else if body.hasPrefix("begin ") {
                body = String(body.dropFirst("begin ".count))
            }
            // Loop variables over numbers.
            for match in body.matches(of: #/for (\w+) in [0-9]/#) { names[String(match.1)] = "integer" }
        }
        self.names = names
        self.source = body
        self.beginnings = beginnings
    }

    var inner: [Inner] {
        (beginnings + pieces(source).flatMap { isScript ? [$0] : statements(in: $0) })
            .filter { statement in
                // `extract(epoch from x)` reads nothing.
                statement.replacing(#/extract\(\w+ from /#, with: "").firstMatch(
                    of: #/\b(from|insert|update|delete)\b/#.wordBoundaryKind(.simple)
                ) != nil && !statement.hasPrefix("execute ")
            }
            .map(prepared)
    }

    /// Dynamic SQL, which no plan is made of before it runs.
    var dynamic: [String] {
        isScript ? [] : pieces(source).flatMap(statements).filter { $0.hasPrefix("execute ") }
    }

    // MARK: Taking apart

    /// At semicolons, outside of texts.
    private func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var isQuoted = false
        for character in text {
            if character == "'" { isQuoted.toggle() }
            if character == ";", !isQuoted {
                pieces.append(piece)
                piece = ""
            } else {
                piece.append(character)
            }
        }
        return (pieces + [piece]).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// What a piece does, without the words around it: `if … then`, `loop`, `into …`.
    private func statements(in piece: String) -> [String] {
        var rest = piece
        var found: [String] = []
        func drop(_ word: String) -> Bool {
            guard rest == word || rest.hasPrefix(word + " ") else { return false }
            rest = String(rest.dropFirst(word.count)).trimmingCharacters(in: .whitespaces)
            return true
        }
        func condition(until word: String) -> String {
            let (before, after) = Self.cut(rest, at: word)
            rest = after
            return before
        }
        while !rest.isEmpty {
            if drop("end if") || drop("end loop") || drop("else") || drop("loop") || drop("begin") || drop("end") {
                continue
            } else if rest.firstMatch(of: #/^exception when [\w ]+ then/#) != nil {
                _ = condition(until: "then")
            } else if drop("if") || drop("elsif") {
                found.append("select " + condition(until: "then"))
            } else if drop("while") {
                found.append("select " + condition(until: "loop"))
            } else if let loop = rest.firstMatch(of: #/^for \w+ in /#) {
                rest = String(rest[loop.range.upperBound...])
                let range = condition(until: "loop")
                if !range.contains("..") { found.append(range) }
            } else if drop("exit when") || drop("continue when") {
                found.append("select " + rest)
                rest = ""
            } else if drop("perform") {
                found.append("select " + rest)
                rest = ""
            } else if drop("return query") {
                found.append(rest)
                rest = ""
            } else if drop("return") {
                found.append("select " + rest)
                rest = ""
            } else if drop("get diagnostics") || drop("raise") || drop("exit") || drop("continue") || drop("null") {
                rest = ""
            } else if let assignment = rest.firstMatch(of: #/^[\w.]+ := /#) {
                found.append("select " + rest[assignment.range.upperBound...])
                rest = ""
            } else {
                found.append(rest)
                rest = ""
            }
        }
        return found.map { statement in
            // `into` names variables, but for `insert into`.
            statement.replacing(#/(?<insert>insert )?into (strict )?\w+(\s*,\s*\w+)*/#) { match in
                match.insert == nil ? "" : String(match.0)
            }.replacing("  ", with: " ")
        }
    }

    /// At a word outside of parentheses, texts and `case … end`.
    private static func cut(_ text: String, at word: String) -> (String, String) {
        var depth = 0
        var isQuoted = false
        var before: [Substring] = []
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        for (index, piece) in words.enumerated() {
            let bare = piece.trimmingCharacters(in: CharacterSet(charactersIn: "(),"))
            if piece == word, depth == 0, !isQuoted {
                return (before.joined(separator: " "), words[(index + 1)...].joined(separator: " "))
            }
            for character in piece {
                if character == "'" { isQuoted.toggle() }
                if !isQuoted { depth += character == "(" ? 1 : character == ")" ? -1 : 0 }
            }
            if !isQuoted, bare == "case" { depth += 1 }
            if !isQuoted, bare == "end" { depth -= 1 }
            before.append(piece)
        }
        return (text, "")
    }

    // MARK: Variables

    /// With parameters for what is the function's: `p_tenant`, a declared variable, a field of a record.
    private func prepared(_ statement: String) -> Inner {
        var types: [String] = []
        var numbers: [String: Int] = [:]
        var out = ""
        var rest = Substring(statement)
        var before: Character = " "
        while let first = rest.first {
            if first == "'" {
                let text = rest.dropFirst().prefix { $0 != "'" }
                out += "'" + text + "'"
                rest = rest.dropFirst(text.count + 2)
                before = "'"
                continue
            }
            guard first.isLetter || first == "_" else {
                out.append(first)
                before = first
                rest = rest.dropFirst()
                continue
            }
            let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            rest = rest.dropFirst(word.count)
            let isField = before == "."
            before = "a"
            guard !isField, let type = names[String(word)], rest.first != "(", !Self.isColumn(out) else {
                out += word
                continue
            }
            var key = String(word)
            var wanted = type
            if rest.first == "." {
                guard type == "record" || type.hasSuffix("%rowtype") else {
                    out += word
                    continue
                }
                let field = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                key += "." + field
                wanted = "unknown"
                rest = rest.dropFirst(field.count + 1)
            } else if type == "record" {
                // An alias of the same name.
                out += word
                continue
            }
            let number = numbers[key] ?? types.count + 1
            if numbers[key] == nil {
                numbers[key] = number
                types.append(wanted)
            }
            out += "$\(number)"
        }
        return Inner(text: out, types: types)
    }

    /// In a list of columns to insert into, behind `set`, or as an alias, a name is a column's.
    private static func isColumn(_ before: String) -> Bool {
        if before.hasSuffix(" as ") || before.hasSuffix(" set ") { return true }
        guard
            let insert = before.range(of: #"insert into \w+( as \w+)? \("#, options: [.regularExpression, .backwards])
        else { return false }
        return !before[insert.upperBound...].contains(")")
    }
}
