package import ChilDatabase

extension DatabaseError {
    /// Something was to be added to a user who was deleted meanwhile: the foreign key that refused says so.
    package var isOfDeletedUser: Bool {
        code == .constraint && Self.keysOfUsers.contains { constraint?.hasPrefix($0) == true }
    }

    private static let keysOfUsers = [
        "session_user_fkey", "identity_user_fkey", "image_owner_fkey", "drawing_owner_fkey", "print_job_owner_fkey",
        "idempotency_user_fkey",
    ]
}
