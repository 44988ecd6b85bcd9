import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// Takes due work of the common queue: so much at once, of one tenant only some, and for one printer one after another. What waits for
/// printers never has all the room, so codes, which live for minutes, are not kept waiting by paper. Not `Sendable`.
final class WorkDesk {
    private struct Share: Hashable {
        let tenant: TenantID
        let kind: WorkShare
    }

    private struct Lane: Hashable {
        let tenant: TenantID
        let number: Int64
    }

    private let loop: EventLoop
    private let database: DatabaseClient
    private let holder: String
    private let leaving: Set<WorkItem.Kind>
    private let bell: WorkBell
    private let stopping: StopFlag
    private var underWay: [Share: Int] = [:]
    private var busyLanes: Set<Lane> = []
    /// Printers that could not be had just now; until when, by the monotonic clock.
    private var restingLanes: [Lane: Int64] = [:]
    /// Whether something was left out by the last look.
    private var hasLeftOut = false

    static let lease = Duration.seconds(120)
    private static let claimMax = 8
    /// Most wait for somebody else's server, on a connection each. What is over it stays in the queue, for other processes too.
    private static let underWayMax = 128
    private static let printingMax = 96
    private static let perTenantMax = 32
    private static let printingPerTenantMax = 16
    private static let pollInterval = Duration.seconds(1)

    /// - Parameters:
    ///   - leaving: kinds that this process cannot work on, for others.
    ///   - bell: rung when work was queued.
    init(
        _ database: DatabaseClient,
        _ bell: WorkBell,
        holder: String,
        leaving: Set<WorkItem.Kind>,
        on loop: EventLoop,
        _ stopping: StopFlag
    ) {
        self.database = database
        self.bell = bell
        self.holder = holder
        self.leaving = leaving
        self.loop = loop
        self.stopping = stopping
    }

    /// Due work, leased. Waits until there is some; empty when it stops.
    func claim() async -> [WorkItem] {
        while !stopping.isRaised {
            let room = min(Self.claimMax, Self.underWayMax - underWay.values.reduce(0, +))
            let exclusions = exclusions()
            hasLeftOut = room <= 0 || !exclusions.isEmpty
            if room > 0 {
                let claim = WorkClaim(
                    countMax: room,
                    lease: Self.lease,
                    holder: holder,
                    leaving: leaving,
                    excluding: exclusions,
                    countPerShare: Self.claimMax / 2
                )
                if let items = try? await claim.run(on: database), !items.isEmpty {
                    for item in items { began(item) }
                    return items
                }
            }
            if !stopping.isRaised { await waitForBell() }
        }
        return []
    }

    /// - Parameter rest: for how long nothing else is tried in the item's lane.
    func ended(_ item: WorkItem, resting rest: Duration? = nil) {
        let share = Self.share(of: item)
        underWay[share] = underWay[share].flatMap { $0 > 1 ? $0 - 1 : nil }
        let lane = Lane(tenant: item.tenant, number: item.lane)
        busyLanes.remove(lane)
        if let rest, item.lane > 0 { restingLanes[lane] = loop.monotonicNow + rest.nanoseconds }
        if hasLeftOut { bell.ring() }
    }

    private func began(_ item: WorkItem) {
        underWay[Self.share(of: item), default: 0] += 1
        if item.lane > 0 { busyLanes.insert(Lane(tenant: item.tenant, number: item.lane)) }
    }

    private static func share(of item: WorkItem) -> Share {
        Share(tenant: item.tenant, kind: item.lane > 0 ? .printing : .other)
    }

    /// What has all the room that it gets.
    private func exclusions() -> [ClaimExclusion] {
        let now = loop.monotonicNow
        restingLanes = restingLanes.filter { now < $0.value }
        var exclusions = busyLanes.union(restingLanes.keys).map { ClaimExclusion.lane($0.tenant, $0.number) }
        for (share, count) in underWay
        where count >= (share.kind == .printing ? Self.printingPerTenantMax : Self.perTenantMax) {
            exclusions.append(.share(share.tenant, share.kind))
        }
        let printing = underWay.reduce(0) { $0 + ($1.key.kind == .printing ? $1.value : 0) }
        if printing >= Self.printingMax { exclusions.append(.share(nil, .printing)) }
        return exclusions
    }

    /// Until rung, or until it is time to look anyway: work of others, work put off, a notification missed.
    private func waitForBell() async {
        let bell = bell
        let timer = loop.after(Self.pollInterval) { bell.ring() }
        await bell.wait()
        loop.cancel(timer)
    }
}
