/// What was sent on a connection and is answered in its turn.
enum Segment {
    case preparing(SQL)
    /// A batch with a Sync of its own.
    case alone(Flight)
    /// A reading batch that shares the Sync of its turn.
    case together(Flight)
    /// Several of one kind in one statement, which shares it too.
    case gathered([Flight])
    /// That Sync.
    case groupEnd
    /// Writes of one kind in one statement with a Sync of its own.
    case written(WriteGroup)

    var flights: [Flight] {
        switch self {
        case .alone(let flight), .together(let flight): [flight]
        case .gathered(let flights): flights
        case .written(let group): group.flights
        case .preparing, .groupEnd: []
        }
    }
}
