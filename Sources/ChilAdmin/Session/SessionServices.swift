import ChilCore

/// What the session commands need.
protocol SessionServices {
    func sessions(of slug: Slug, _ query: SessionQuery) async throws(AdminFault) -> [SessionRow]
    /// How many sessions ended.
    func endSessions(_ choice: SessionChoice, of slug: Slug) async throws(AdminFault) -> Int
}

struct SessionQuery: Equatable, Sendable {
    /// `nil`: of all users.
    let user: UserNumber?
    let includesEnded: Bool
    let countMax: Int
}

/// Which sessions shall end.
enum SessionChoice: Equatable, Sendable {
    case one(SessionNumber)
    case allOf(user: UserNumber)
}
