import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilLoop
import ChilStore

/// What one service answered.
enum EndpointAnswer: Sendable {
    case made(MadeImage)
    /// It will not, and nobody else shall be asked: a code that the person is told.
    case refused(String)
    /// It is well, and what it made is no use: the next one is asked.
    case unfit(String)
    /// It is not well, or not set up well: `fault` is for the operator. `isPassing`: a later attempt may do better.
    case away(code: String, fault: String, isPassing: Bool, retryAfter: Duration?)

    static func away(_ code: MakingFault, _ fault: String, isPassing: Bool, retryAfter: Duration? = nil) -> Self {
        .away(code: code.rawValue, fault: fault, isPassing: isPassing, retryAfter: retryAfter)
    }
}

/// One attempt of a job: asks the tenant's services in their order until one makes the picture. Who failed lately is left out for a while,
/// and so is a party that the guardian has not agreed to. Not `Sendable`.
struct EndpointRound {
    /// With its key opened.
    struct Service {
        let endpoint: ImageEndpoint
        let key: SecretBytes?
    }

    let database: DatabaseClient
    let loop: EventLoop
    let sealer: Sealer

    /// How long a service is left alone after so many failures in a row.
    static func pause(after failures: Int) -> Duration {
        failures < 2 ? .zero : min(pauseMax, .seconds(15) * (1 << min(failures - 2, 8)))
    }

    private static let pauseMax = Duration.seconds(600)
    /// A longer pause is not waited for: who asks is told at once.
    private static let pauseWorthWaiting = Duration.seconds(20)

    /// - Parameter ask: asks one of them, within its `timeout`.
    func run(_ task: ImageJobTask, in tenant: TenantID, asking ask: (Service) async throws -> EndpointAnswer)
        async throws
        -> MakingOutcome
    {
        let endpoints = try await ImageEndpointList(for: task.purpose, of: tenant).rows(from: database)
            .filter { $0.state == .enabled }
        guard !endpoints.isEmpty else { return .refused(MakingFault.noService.rawValue) }
        var verdict = Verdict()
        for endpoint in endpoints {
            if let party = endpoint.disclosedTo,
                try await ConsentMissing(.disclose(party), of: task.owner, in: tenant).answer(from: database)
            {
                continue
            }
            if let until = endpoint.pausedUntil, loop.wallClock < until {
                let left = until - loop.wallClock
                verdict.take(MakingFault.away.rawValue, isPassing: left <= Self.pauseWorthWaiting, retryAfter: left)
                continue
            }
            switch try await asked(endpoint, of: tenant, ask) {
            case .made(var made):
                try await note(endpoint, of: tenant, fault: nil)
                made.endpoint = endpoint.id
                return .made(made)
            case .refused(let code):
                try await note(endpoint, of: tenant, fault: nil)
                return .refused(code)
            case .unfit(let code):
                try await note(endpoint, of: tenant, fault: nil)
                verdict.take(code, isPassing: true, retryAfter: nil)
            case .away(let code, let fault, let isPassing, let retryAfter):
                try await note(endpoint, of: tenant, fault: fault, retryAfter)
                verdict.take(code, isPassing: isPassing, retryAfter: retryAfter)
            }
        }
        return verdict.outcome
    }

    /// What all of them together come to.
    private struct Verdict {
        /// As long as nobody was asked, it is consent that is missing.
        private var code = MakingFault.noConsent.rawValue
        private var isPassing = false
        private var retryAfter: Duration?

        /// That something was made, and was no use, says more than that somebody is away.
        mutating func take(_ code: String, isPassing: Bool, retryAfter: Duration?) {
            let isFirst = self.code == MakingFault.noConsent.rawValue
            if isFirst || self.code == MakingFault.away.rawValue { self.code = code }
            if isPassing {
                self.retryAfter = self.isPassing ? min(self.retryAfter ?? .zero, retryAfter ?? .zero) : retryAfter
            }
            self.isPassing = self.isPassing || isPassing
        }

        /// What nobody can do now and later is not tried again.
        var outcome: MakingOutcome { isPassing ? .failed(code, retryAfter: retryAfter) : .refused(code) }
    }

    private func asked(
        _ endpoint: ImageEndpoint,
        of tenant: TenantID,
        _ ask: (Service) async throws -> EndpointAnswer
    ) async throws -> EndpointAnswer {
        guard let sealed = endpoint.sealedKey else { return try await ask(Service(endpoint: endpoint, key: nil)) }
        guard let key = try sealer.open(sealed, tenant: tenant, column: ImageEndpoint.sealedColumn) else {
            return .away(
                .away,
                "its key was sealed by another key file: CHIL_KEY_FILE must be one for all",
                isPassing: false
            )
        }
        return try await ask(Service(endpoint: endpoint, key: key))
    }

    private func note(_ endpoint: ImageEndpoint, of tenant: TenantID, fault: String?, _ retryAfter: Duration? = nil)
        async throws
    {
        let pause = Self.pause(after: Int(endpoint.failures) + 1)
        let note = ImageEndpointNote(
            endpoint.id,
            of: tenant,
            fault: fault.map { String($0.prefix(Self.faultCharactersMax)) },
            pausing: max(pause, min(retryAfter ?? .zero, Self.pauseMax)),
            at: loop.wallClock
        )
        try await note.touched(on: database)
    }

    private static let faultCharactersMax = 300
}
