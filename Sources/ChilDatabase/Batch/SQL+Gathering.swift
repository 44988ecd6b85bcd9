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
        let arrays = (1...count).map { "$\($0)::bigint[]" }.joined(separator: ", ")
        let names = (1...count).map { "p\($0)" }.joined(separator: ", ")
        self.init(
            """
            select d.*, r.place from unnest(\(arrays)) with ordinality r (\(names), place)
             cross join lateral (select chil_enter(r.p1)::bigint as tenant offset 0) e
             cross join lateral (\(body) offset 0) d
            """
        )
    }
}
