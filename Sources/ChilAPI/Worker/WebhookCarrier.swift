import ChilAuth
import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilStore
import ChilWebhook

/// Carries one delivery to its endpoint, and writes down what came of it. At least once: what was sent and not written down is sent
/// again, with the same id. Not `Sendable`.
struct WebhookCarrier {
    private let loop: EventLoop
    private let shared: SharedState
    private let database: DatabaseClient
    private let ids: IDSource
    private let stopping: StopFlag

    init(_ shared: SharedState, _ database: DatabaseClient, on loop: EventLoop, _ ids: IDSource, _ stopping: StopFlag) {
        self.shared = shared
        self.database = database
        self.loop = loop
        self.ids = ids
        self.stopping = stopping
    }

    /// Answers for how long the endpoint is left alone.
    func work(on item: WorkItem) async throws -> Duration? {
        // What is sent now might not be stored: the next process takes it up.
        if stopping.isRaised { return nil }
        guard let task = try await WebhookLoad(item).first(from: database), task.isPending else {
            _ = try await WorkFinish(item).run(on: database)
            return nil
        }
        let now = loop.wallClock
        if task.endpoint.state == .enabled, let until = task.endpoint.pausedUntil, now < until {
            let pause = (until - now) * Double.random(in: 1...1.25)
            _ = try await WorkPostpone(item, by: pause).run(on: database)
            return until - now
        }
        let outcome = try await outcome(of: task, item, at: now)
        guard try await WebhookEnd(item, outcome, at: loop.wallClock).answer(from: database) else { return nil }
        switch outcome {
        case .delivered: return nil
        case .again(_, let pause, _, let fault):
            tell(.info, "webhook not delivered", item, task, fault)
            return pause
        case .dead(let pause, _, let fault):
            tell(.warning, "webhook given up", item, task, fault)
            return pause
        case .gone(_, let fault, _):
            tell(.warning, "webhook endpoint disabled", item, task, fault)
            return nil
        }
    }

    private func outcome(of task: WebhookTask, _ item: WorkItem, at now: Timestamp) async throws -> WebhookEnd.Outcome {
        func dead(_ fault: String) -> WebhookEnd.Outcome { .dead(pausing: .zero, status: nil, fault) }
        guard task.endpoint.state == .enabled else { return dead("the endpoint is disabled") }
        let exception = task.endpoint.allowedPrivateEndpoint.flatMap { AddressGuard.Exception($0) }
        let url: HTTPURL
        do throws(WebhookAddress.Fault) {
            url = try WebhookAddress.url(task.endpoint.url, allowing: exception)
        } catch {
            return dead("\(error)")
        }
        guard let secrets = try secrets(of: task.endpoint, item.tenant, at: now) else {
            return dead("the secret was sealed by another key: CHIL_KEY_FILE must be one for all")
        }
        let message = WebhookMessage(
            event: task.event.id.rawValue,
            type: task.event.type,
            at: task.event.at,
            tenant: task.tenantSlug,
            data: task.event.data
        )
        let answer = await WebhookSender(on: loop, allowing: exception)
            .send(message, to: url, signedBy: secrets, at: now)
        let status: Int?
        let fault: String
        switch answer {
        case .delivered(let status): return .delivered(status: status)
        case .gone: return .gone(status: 410, "it answered 410 Gone", audit: try ids.next(at: now))
        case .refused(let code): (status, fault) = (code, "it answered \(code)")
        case .away(let reason): (status, fault) = (nil, reason)
        }
        let endpointPause =
            answer.isOutage
            ? WebhookSchedule.outagePause(after: Int(task.endpoint.failures)) : WebhookSchedule.refusalPause
        let jitter = Double.random(in: 0..<1)
        return WebhookSchedule.pause(after: Int(task.attempts) + 1, jitter: jitter)
            .map { .again(after: $0, pausing: endpointPause, status: status, fault) }
            ?? .dead(pausing: endpointPause, status: status, fault)
    }

    /// Those that are good now, the newest first; `nil`: they do not open.
    private func secrets(of endpoint: WebhookEndpoint, _ tenant: TenantID, at now: Timestamp) throws -> [WebhookSecret]?
    {
        let newest = try shared.sealer.open(endpoint.sealedSecret, tenant: tenant, column: WebhookEndpoint.sealedColumn)
        guard var secrets = newest.flatMap({ WebhookSecret(bytes: $0) }).map({ [$0] }) else { return nil }
        if let sealed = endpoint.sealedOldSecret, let until = endpoint.oldSecretUntil, now < until,
            let old = try shared.sealer.open(sealed, tenant: tenant, column: WebhookEndpoint.sealedOldColumn),
            let secret = WebhookSecret(bytes: old)
        {
            secrets.append(secret)
        }
        return secrets
    }

    private func tell(
        _ level: ServiceLog.Level,
        _ message: StaticString,
        _ item: WorkItem,
        _ task: WebhookTask,
        _ fault: String
    ) {
        shared.log.write(
            level,
            message,
            [
                ("tenant", "\(item.tenant.rawValue)"), ("endpoint", "\(item.subject)"),
                ("event", WebhookMessage.id(event: task.event.id.rawValue, type: task.event.type)), ("fault", fault),
            ]
        )
    }
}
