import ChilCore

/// Which news of something that fails again and again are worth a line: the first fault, each other one, and that it is over; no fault before
/// a minute has passed since the last one that was told.
struct TroubleNews {
    enum Line: Equatable {
        case fault(String)
        case over
    }

    static let pause = Duration.seconds(60)

    private var told: String?
    private var quietUntil = Int64.min

    /// - Parameters:
    ///   - fault: `nil`: it went well.
    ///   - now: monotonic nanoseconds.
    mutating func heard(_ fault: String?, at now: Int64) -> Line? {
        guard let fault else {
            defer { told = nil }
            return told == nil ? nil : .over
        }
        guard fault != told, now >= quietUntil else { return nil }
        told = fault
        quietUntil = now + Self.pause.wholeMicroseconds * 1_000
        return .fault(fault)
    }
}
