import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// Takes due deliveries from the queue and has them carried: so many at once, and of one tenant and one endpoint only some. An endpoint
/// that hangs keeps what is for it waiting, and nobody else. Not `Sendable`.
final class WebhookDesk {
    private struct Endpoint: Hashable {
        let tenant: TenantID
        let id: WebhookEndpointID
    }

    private let loop: EventLoop
    private let database: DatabaseClient
    private let carrier: WebhookCarrier
    private let holder: String
    private let log: ServiceLog
    private let stopping: StopFlag
    private let bell = WorkBell()
    private var underWay = 0
    private var perTenant: [TenantID: Int] = [:]
    private var perEndpoint: [Endpoint: Int] = [:]
    /// Endpoints that are left alone; until when, by the monotonic clock. All that is due for one would be claimed for nothing.
    private var resting: [Endpoint: Int64] = [:]

    private static let underWayMax = 64
    private static let perTenantMax = 16
    private static let claimMax = 16
    private static let restMax = Duration.seconds(5)
    /// Longer than an attempt may take.
    private static let lease = Duration.seconds(60)
    private static let pollInterval = Duration.milliseconds(500)

    init(
        _ carrier: WebhookCarrier,
        _ database: DatabaseClient,
        holder: String,
        _ log: ServiceLog,
        on loop: EventLoop,
        _ stopping: StopFlag
    ) {
        self.carrier = carrier
        self.database = database
        self.holder = holder
        self.log = log
        self.loop = loop
        self.stopping = stopping
    }

    func ring() {
        bell.ring()
    }

    /// Due deliveries, leased. Waits until there are some; empty when it stops.
    func claim() async -> [WorkItem] {
        while !stopping.isRaised {
            let room = min(Self.claimMax, Self.underWayMax - underWay)
            if room > 0 {
                let now = loop.monotonicNow
                resting = resting.filter { now < $0.value }
                let claim = WebhookClaim(
                    countMax: room,
                    lease: Self.lease,
                    holder: holder,
                    fullTenants: perTenant.filter { $0.value >= Self.perTenantMax }.map(\.key),
                    busyEndpoints: Set(perEndpoint.keys).union(resting.keys).map { ($0.tenant, $0.id) }
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

    func work(on item: WorkItem) async {
        do {
            if let rest = try await carrier.work(on: item) {
                // An operator who enables it anew is heard within seconds.
                resting[Self.endpoint(of: item)] = loop.monotonicNow + min(rest, Self.restMax).nanoseconds
            }
        } catch {
            // The lease runs out, and it is taken up again.
            log.write(
                .warning,
                "webhook interrupted",
                [
                    ("tenant", "\(item.tenant.rawValue)"), ("endpoint", "\(item.subject)"),
                    ("error", String(reason: error)),
                ]
            )
        }
        ended(item)
        bell.ring()
    }

    private func began(_ item: WorkItem) {
        underWay += 1
        perTenant[item.tenant, default: 0] += 1
        perEndpoint[Self.endpoint(of: item), default: 0] += 1
    }

    private func ended(_ item: WorkItem) {
        underWay -= 1
        perTenant[item.tenant] = perTenant[item.tenant].flatMap { $0 > 1 ? $0 - 1 : nil }
        let endpoint = Self.endpoint(of: item)
        perEndpoint[endpoint] = perEndpoint[endpoint].flatMap { $0 > 1 ? $0 - 1 : nil }
    }

    private static func endpoint(of item: WorkItem) -> Endpoint {
        Endpoint(tenant: item.tenant, id: WebhookEndpointID(rawValue: item.subject))
    }

    private func waitForBell() async {
        let bell = bell
        let timer = loop.after(Self.pollInterval) { bell.ring() }
        await bell.wait()
        loop.cancel(timer)
    }
}
