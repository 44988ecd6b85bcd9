import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// Takes due jobs that make pictures from the queue and has them carried: so many at once, and of one tenant only some. Not `Sendable`.
final class ImageDesk {
    private let loop: EventLoop
    private let database: DatabaseClient
    private let carrier: ImageJobCarrier
    private let holder: String
    private let log: ServiceLog
    private let stopping: StopFlag
    private let bell: WorkBell
    private var underWay = 0
    private var perTenant: [TenantID: Int] = [:]

    /// Each may hold a picture and the answer that it came in.
    private static let underWayMax = 32
    private static let perTenantMax = 8
    private static let claimMax = 8
    private static let pollInterval = Duration.milliseconds(500)

    /// - Parameter bell: rung when a job was queued.
    init(
        _ carrier: ImageJobCarrier,
        _ database: DatabaseClient,
        _ bell: WorkBell,
        holder: String,
        _ log: ServiceLog,
        on loop: EventLoop,
        _ stopping: StopFlag
    ) {
        self.carrier = carrier
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

    /// Due jobs, leased. Waits until there are some; empty when it stops.
    func claim() async -> [WorkItem] {
        while !stopping.isRaised {
            let room = min(Self.claimMax, Self.underWayMax - underWay)
            if room > 0 {
                let claim = ImageJobClaim(
                    countMax: room,
                    lease: ImageJobCarrier.lease,
                    holder: holder,
                    fullTenants: perTenant.filter { $0.value >= Self.perTenantMax }.map(\.key),
                    countPerTenant: Self.perTenantMax / 2
                )
                if let items = try? await claim.run(on: database), !items.isEmpty {
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
                "picture interrupted",
                [("tenant", "\(item.tenant.rawValue)"), ("drawing", "\(item.subject)"), ("error", "\(error)")]
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
