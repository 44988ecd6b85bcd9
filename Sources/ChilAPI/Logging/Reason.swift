import ChilDatabase

extension String {
    /// An error for the log: of a database's also what it said itself, which has no user's data.
    init(reason error: any Error) {
        self = (error as? DatabaseError).map { "\($0): \($0.detail)" } ?? "\(error)"
    }
}
