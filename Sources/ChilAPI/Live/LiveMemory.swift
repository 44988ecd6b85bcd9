import ChilCore
import ChilStore

/// What of a person's events a listener has had, so that what was committed late is still sent, and nothing twice.
///
/// Numbers are made before the commit, by clocks that differ: whoever reads looks back over what may have come behind the last look.
struct LiveMemory {
    /// How far behind its number an event may be committed.
    static let overlap = Duration.seconds(10)
    static let pageMax = 100

    /// Everything up to here is sent, or shall not be.
    private var floor: UserEventID
    /// What is sent behind that.
    private var sent: [UserEventID] = []
    /// While a page was full: how far it went, and when the first of its kind was read.
    private var paging: (after: UserEventID, since: Timestamp)?

    /// - Parameter moment: events are sent from then on, and of the ten seconds before.
    init(from moment: Timestamp) {
        floor = UserEventID(before: moment - Self.overlap)
    }

    var nextPage: UserEventID { paging?.after ?? floor }

    /// Whether there is more to read at once.
    var isPaging: Bool { paging != nil }

    /// - Parameters:
    ///   - page: the events behind `nextPage`, at most `pageMax`.
    ///   - moment: before it was asked for.
    /// - Returns: what is new of it.
    mutating func take(_ page: [UserEvent], readAt moment: Timestamp) -> [UserEvent] {
        let news = page.filter { !sent.contains($0.id) }
        let since = paging?.since ?? moment
        let horizon = UserEventID(before: since - Self.overlap)
        sent.removeAll { $0 <= horizon }
        sent += news.lazy.map(\.id).filter { $0 > horizon }
        if page.count >= Self.pageMax, let last = page.last {
            paging = (last.id, since)
        } else {
            paging = nil
            floor = max(floor, horizon)
        }
        return news
    }
}
