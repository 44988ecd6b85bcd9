extension SQL {
    /// A read for many callers at once: `read` with an array in place of each parameter. Its rows have one column more, the last:
    /// the caller's place in the arrays, from 1; they come in the order of the places.
    ///
    /// Each place enters its tenant and then runs `read` for it, never the other way round: `read` stands in a lateral subquery
    /// that takes the tenant's number from the one that enters, and `offset 0` keeps either from being merged into the query around it.
    ///
    /// - Parameters:
    ///   - read: a `select` whose `$1` is the tenant and whose order, if it has one, is by a unique key.
    ///   - count: of its parameters, `$1` to `$9` at most, all of them `bigint` and never null.
    package init(gathering read: SQL, parameters count: Int) {
        precondition((1...9).contains(count), "a parameter is one digit here")
        var body = ""
        var isParameter = false
        for character in read.text {
            if isParameter {
                body += character == "1" ? "e.tenant" : "r.p\(character)"
                isParameter = false
            } else if character == "$" {
                isParameter = true
            } else {
                body.append(character)
            }
        }
        let kinds = Array(repeating: ColumnKind.bigint, count: count)
        self.init(
            """
            select d.*, r.place from \(Self.places(kinds))
             cross join lateral (select chil_enter(r.p1)::bigint as tenant offset 0) e
             cross join lateral (\(body) offset 0) d
            """,
            arrays: kinds
        )
    }

    /// A function that decides for one tenant, called for many callers at once, in one transaction. Rows as those of a gathered read.
    ///
    /// Each place enters its tenant in the first argument of its own call, as `SQL.init(entering:)` has it.
    ///
    /// - Parameters:
    ///   - function: answers one row, and a refusal is one of its rows: an error is everybody's.
    ///   - kinds: of its parameters, all of them; the first is the tenant.
    package init(gatheringCallsOf function: StaticString, _ kinds: [ColumnKind]) {
        let arguments = kinds.indices.map { $0 == 0 ? "chil_enter(r.p1)::bigint" : "r.p\($0 + 1)" }
        self.init(
            """
            select d.*, r.place from \(Self.places(kinds))
             cross join lateral \(function)(\(arguments.joined(separator: ", "))) d
            """,
            arrays: kinds
        )
    }

    /// A row for each caller: `p1…pn`, and its place.
    private static func places(_ kinds: [ColumnKind]) -> String {
        let arrays = kinds.enumerated().map { "$\($0 + 1)::\($1)[]" }.joined(separator: ", ")
        let names = kinds.indices.map { "p\($0 + 1)" }.joined(separator: ", ")
        return "unnest(\(arrays)) with ordinality r (\(names), place)"
    }
}
