import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// Carries what a desk has claimed as far as it can be carried now. It works on its loop.
protocol WorkCarrier {
    func work(on item: WorkItem) async throws
}

/// Takes due work of one kind from the queue and has it carried: so much at once, and of one tenant only some. Not `Sendable`.
final class ShareDesk<Claim: SharedClaim> {
    /// How much is carried at once.
    struct Room {
        let places: Int
        let placesOfTenant: Int
    }

    private let loop: EventLoop
    private let database: DatabaseClient
    private let carrier: any WorkCarrier
    private let room: Room
    private let lease: Duration
    private let holder: String
    private let log: ServiceLog
    private let stopping: StopFlag
    private let bell: WorkBell
    private var underWay = 0
    private var perTenant: [TenantID: Int] = [:]

    private static var claimMax: Int { 8 }
    private static var pollInterval: Duration { .milliseconds(500) }

    /// - Parameter bell: rung when such work was queued.
    init(
        _ carrier: any WorkCarrier,
        _ room: Room,
        lease: Duration,
        _ database: DatabaseClient,
        _ bell: WorkBell,
        holder: String,
        _ log: ServiceLog,
        on loop: EventLoop,
        _ stopping: StopFlag
    ) {
        self.carrier = carrier
        self.room = room
        self.lease = lease
        self.database = database
        self.bell = bell
        self.holder = holder
        self.log = log
        self.loop = loop
        self.stopping = stopping
    }

    func ring() {
        bell.ring()
    }

    /// Due work, leased. Waits until there is some; empty when it stops.
    func claim() async -> [WorkItem] {
        while !stopping.isRaised {
            let countMax = min(Self.claimMax, room.places - underWay)
            if countMax > 0 {
                let share = ShareClaim(
                    countMax: countMax,
                    lease: lease,
                    holder: holder,
                    fullTenants: perTenant.filter { $0.value >= room.placesOfTenant }.map(\.key),
                    countPerTenant: max(1, room.placesOfTenant / 2)
                )
                if let items = try? await Claim(share).run(on: database), !items.isEmpty {
                    underWay += items.count
                    for item in items { perTenant[item.tenant, default: 0] += 1 }
                    return items
                }
            }
            if !stopping.isRaised { await waitForBell() }
        }
        return []
    }

    func work(on item: WorkItem) async {
        do {
            try await carrier.work(on: item)
        } catch {
            // The lease runs out, and it is taken up again.
            log.write(
                .warning,
                "work interrupted",
                [
                    ("tenant", "\(item.tenant.rawValue)"), ("kind", item.kind.rawValue), ("subject", "\(item.subject)"),
                    ("error", String(reason: error)),
                ]
            )
        }
        underWay -= 1
        perTenant[item.tenant] = perTenant[item.tenant].flatMap { $0 > 1 ? $0 - 1 : nil }
        bell.ring()
    }

    private func waitForBell() async {
        let bell = bell
        let timer = loop.after(Self.pollInterval) { bell.ring() }
        await bell.wait()
        loop.cancel(timer)
    }
}
