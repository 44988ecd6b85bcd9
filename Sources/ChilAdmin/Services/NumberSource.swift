import ChilCore

/// Fresh row numbers from the slot that is the operator's (63).
///
/// Two operators in the same millisecond may get the same number; PostgreSQL then refuses the later one as a conflict.
final class NumberSource: Sendable {
    static let slot = 63

    private let generator: Locked<IDGenerator?>

    init() {
        generator = Locked(IDGenerator(slot: Self.slot))
    }

    func next<Kind>(at now: Timestamp) throws(AdminFault) -> Identifier<Kind> {
        guard let number = generator.withLock({ $0?.next(at: now) }) else {
            throw AdminFault(
                .tryLater,
                "no row number for this time",
                remedy: "Set this machine's clock right, then try again."
            )
        }
        return Identifier(rawValue: number)
    }
}
