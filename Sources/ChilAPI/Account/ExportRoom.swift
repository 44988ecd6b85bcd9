import ChilCore

/// One user of one tenant.
struct Person: Hashable, Sendable {
    let tenant: TenantID
    let user: UserID
}

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

    private var running: Set<Person> = []
    private var room = TenantRoom(placesMax: 64, placesOfTenantMax: 16)

    func isFull(for tenant: TenantID) -> Bool {
        room.isFull(for: tenant)
    }

    /// `nil`: the person has one, or the room is full.
    func place(for session: Session) -> Place? {
        let person = Person(tenant: session.tenant, user: session.user)
        guard !running.contains(person), room.take(for: person.tenant) else { return nil }
        running.insert(person)
        return Place { [weak self] in
            self?.running.remove(person)
            self?.room.giveBack(of: person.tenant)
        }
    }
}
