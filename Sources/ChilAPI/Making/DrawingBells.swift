import ChilCore

/// Wakes the requests of this process that wait for a drawing. What other processes finish they hear of by NOTIFY, or find by looking.
final class DrawingBells: Sendable {
    struct Place: Hashable, Sendable {
        let tenant: TenantID
        let drawing: DrawingID
    }

    private let bells = Locked<[Place: [WorkBell]]>([:])

    /// A bell of its own for one waiter, until `close`.
    func open(_ place: Place) -> WorkBell {
        let bell = WorkBell()
        bells.withLock { $0[place, default: []].append(bell) }
        return bell
    }

    func close(_ bell: WorkBell, _ place: Place) {
        bells.withLock { bells in
            bells[place]?.removeAll { $0 === bell }
            if bells[place]?.isEmpty == true { bells[place] = nil }
        }
    }

    func ring(_ place: Place) {
        for bell in bells.withLock({ $0[place] ?? [] }) { bell.ring() }
    }

    func ringAll() {
        for bell in bells.withLock({ $0.values.flatMap { $0 } }) { bell.ring() }
    }

    /// Waiters at the moment.
    var count: Int { bells.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}
