import ChilDatabase

/// What a tenant asks a child's guardian for.
package struct ConsentPolicy: Sendable, Equatable {
    /// Acts that wait for consent; none: nothing does.
    package let scopes: [ConsentScope]
    /// The version of the notice that is in force: consent to an older one does not count.
    package let notice: Int32

    package init(scopes: [ConsentScope] = [], notice: Int32 = 1) {
        self.scopes = scopes
        self.notice = notice
    }

    init(_ row: ResultRow, from first: Int) throws(DatabaseError) {
        scopes = row.lines(first).compactMap(ConsentScope.init)
        notice = try row.int32(first + 1)
    }

    package func asks(for scope: ConsentScope) -> Bool {
        scopes.contains(scope)
    }

    /// As the database keeps scopes: one a line, each once, in their order as texts.
    static func lines(_ scopes: [ConsentScope]) -> String {
        Set(scopes.map(\.description)).sorted().joined(separator: "\n")
    }
}

/// Consent that is missing: what for, and under which notice.
package struct ConsentLack: Sendable, Equatable {
    package let scope: ConsentScope
    package let notice: Int32

    package init(scope: ConsentScope, notice: Int32) {
        self.scope = scope
        self.notice = notice
    }

    /// A verdict such as `consent 3 disclose:epson`; `nil`: it says something else.
    init?(verdict: String) {
        guard verdict.utf8.starts(with: "consent ".utf8) else { return nil }
        let words = verdict.split(separator: " ")
        guard words.count == 3, words[0] == "consent", let notice = Int32(words[1]),
            let scope = ConsentScope(String(words[2]))
        else { return nil }
        self.init(scope: scope, notice: notice)
    }
}
