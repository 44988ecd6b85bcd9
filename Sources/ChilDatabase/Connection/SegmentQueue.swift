/// What was sent and is not answered, in its order.
struct SegmentQueue {
    private var segments: [Segment] = []
    private var head = 0

    /// The one whose results come next.
    var first: Segment? { head < segments.count ? segments[head] : nil }

    var flights: [Flight] { segments[head...].flatMap(\.flights) }

    /// Those of the segment whose results come next, unless it is a Sync or a statement being prepared.
    var firstFlights: [Flight] { segments[head...].first { !$0.flights.isEmpty }?.flights ?? [] }

    mutating func append(_ segment: Segment) {
        segments.append(segment)
    }

    mutating func removeFirst() {
        head += 1
        if head == segments.count {
            segments.removeAll(keepingCapacity: true)
            head = 0
        } else if head > Self.headMax {
            segments.removeFirst(head)
            head = 0
        }
    }

    mutating func removeAll() {
        segments.removeAll()
        head = 0
    }

    /// Moving what is left is not worth it for fewer.
    private static let headMax = 512
}
