import ChilCore

/// How many exports may run on a loop: one of each person, and few at all, for each holds a part of an image while a slow client takes it.
/// Not `Sendable`.
final class ExportRoom {
    /// Held by a running export; given up with it.
    final class Place {
        private let leave: (() -> Void)?

        /// One that takes no room.
        init() {
            leave = nil
        }

        fileprivate init(_ leave: @escaping () -> Void) {
            self.leave = leave
        }

        deinit {
            leave?()
        }
    }

    private struct Person: Hashable {
        let tenant: TenantID
        let user: UserID
    }

    private var running: Set<Person> = []

    private static let placesMax = 64
    /// Slow clients of one tenant's keep nobody else's waiting.
    private static let placesOfTenantMax = 16

    func isFull(for tenant: TenantID) -> Bool {
        running.count >= Self.placesMax || running.count(where: { $0.tenant == tenant }) >= Self.placesOfTenantMax
    }

    /// `nil`: the person has one, or the room is full.
    func place(for session: Session) -> Place? {
        let person = Person(tenant: session.tenant, user: session.user)
        guard !isFull(for: person.tenant), running.insert(person).inserted else { return nil }
        return Place { [weak self] in self?.running.remove(person) }
    }
}
