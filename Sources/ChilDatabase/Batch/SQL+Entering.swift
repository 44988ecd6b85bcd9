extension SQL {
    /// A call of one function for one tenant that enters the tenant in the call's own first argument: PostgreSQL has the value of every
    /// argument before the function begins, so row level security holds inside it as it does behind a `select chil_enter($1)` of its own,
    /// which costs a statement and its result.
    ///
    /// - Parameter call: a `select` from, or of, one function that has `$1`, the tenant's number, for its first argument and nowhere else;
    ///   all other arguments are parameters.
    package init(entering call: String) {
        let parts = Self.parts(of: call)
        precondition(parts.count == 2, "$1 is in the call once")
        precondition(parts[0].last { !$0.isWhitespace } == "(", "$1 is the function's first argument")
        self.init("\(parts[0])chil_enter($1)::bigint\(parts[1])", entersTenant: true, arrays: [])
    }

    /// What is around each `$1`, but for `$10` and the like.
    private static func parts(of call: String) -> [Substring] {
        var parts: [Substring] = []
        var start = call.startIndex
        var at = start
        while let dollar = call[at...].firstIndex(of: "$") {
            at = call.index(after: dollar)
            let number = call[at...].prefix { $0.isNumber }
            guard number == "1" else { continue }
            parts.append(call[start..<dollar])
            at = number.endIndex
            start = at
        }
        return parts + [call[start...]]
    }
}
