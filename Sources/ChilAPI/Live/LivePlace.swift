import ChilCore
import ChilStore

/// Where a stream begins.
struct LivePlace: Equatable {
    /// What the client has had, as far as the service knows.
    let id: UserEventID
    let moment: Timestamp
    /// Whether events may have gone that the client has not had.
    let isGap: Bool

    /// - Parameter last: what the client says it had last. No number of ours, one of a time to come, or one from before what is kept:
    ///   the stream begins now, with a gap.
    init(last: [UInt8]?, at now: Timestamp) {
        if let last, let number = Self.number(last) {
            let moment = IDGenerator.moment(of: number)
            if moment > now - (UserEvent.life - LiveMemory.overlap), moment <= now + LiveMemory.overlap {
                (id, self.moment, isGap) = (UserEventID(rawValue: number), min(moment, now), false)
                return
            }
        }
        (id, moment, isGap) = (UserEventID(before: now), now, last != nil)
    }

    private static func number(_ text: [UInt8]) -> Int64? {
        guard (1...16).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let number = text.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        return number < 1 << 53 ? number : nil
    }
}
