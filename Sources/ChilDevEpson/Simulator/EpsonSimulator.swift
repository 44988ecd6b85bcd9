import ChilCore

/// A stand-in for Epson Connect, both generations, with one printer. One for all its loops.
package final class EpsonSimulator: Sendable {
    package struct Facts: Equatable, Sendable {
        /// The jobs that came out, paper by paper.
        package let papers: [String]
        /// All jobs that were made.
        package let jobs: [String]
        package let names: [String]
        /// Those that are asked to be printed, and not over.
        package let waiting: [String]
        /// Refresh tokens of generation 2 that were used, and those that were shown again.
        package let refreshes: Int
        package let reuses: Int
        package let calls: [EpsonOperation]
        /// Those that were judged by now.
        package let judged: [EpsonOperation]
        package let destinations: [String]
        /// Where it tells of jobs.
        package let callback: String?
        /// How often it has told.
        package let told: Int
    }

    package let settings: EpsonSimulatorSettings
    private let state: Locked<EpsonSimulatorState>
    private let clock: @Sendable () -> ContinuousClock.Instant

    /// - Parameter clock: what its printer goes by. Tests turn one by hand: what they see is then no matter of luck.
    package init(
        _ settings: EpsonSimulatorSettings = EpsonSimulatorSettings(),
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.settings = settings
        self.clock = clock
        state = Locked(EpsonSimulatorState(settings, at: clock()))
    }

    package var facts: Facts {
        with { state in
            Facts(
                papers: state.papers,
                jobs: state.order,
                names: state.order.compactMap { state.jobs[$0]?.name },
                waiting: state.queue,
                refreshes: state.refreshCount,
                reuses: state.reuseCount,
                calls: state.calls,
                judged: state.judged,
                destinations: state.destinations.map { "\($0.alias) \($0.destination)" },
                callback: state.callback,
                told: state.toldCount
            )
        }
    }

    /// The next times that it is asked so, it misbehaves so.
    package func misbehave(_ operation: EpsonOperation, _ quirks: EpsonQuirk...) {
        with { state in for quirk in quirks { state.quirks.append((operation, quirk)) } }
    }

    /// `nil`: paper does not run out.
    package func setSheets(_ count: Int?) { with { $0.sheets = count } }
    package func setJammed(_ flag: Bool) { with { $0.isJammed = flag } }
    package func setConnected(_ flag: Bool) { with { $0.isConnected = flag } }
    /// Whether the owner allows to print from elsewhere (generation 1), and has the printer registered (generation 2).
    package func setAllowed(_ flag: Bool) { with { $0.isAllowed = flag } }
    package func expireTokens() { with { $0.access = [:] } }

    /// The job vanishes, as if it had never been.
    package func forget(_ job: String) {
        with { state in
            state.jobs[job] = nil
            state.queue.removeAll { $0 == job }
        }
    }

    /// The job's three days are over: it is given up.
    package func expire(_ job: String) {
        with { state in
            guard var expired = state.jobs[job] else { return }
            expired.phase = .expired
            state.jobs[job] = expired
            state.queue.removeAll { $0 == job }
            state.tell(job, expired, .expired)
        }
    }

    /// As the owner gives permission in the browser: a code for that redirect.
    package func permit(redirectURI: String) -> String {
        with { state in
            let code = state.word("code")
            state.codes[code] = redirectURI
            return code
        }
    }

    /// What is to be posted where.
    func takeNotices() -> [(url: String, body: String)] {
        with { state in
            defer { state.notices = [] }
            return state.notices.map { notice in
                let host = settings.callbackHosts.first { notice.url.hasPrefix("\($0.key)/") }
                return (host.map { "\($0.value)\(notice.url.dropFirst($0.key.count))" } ?? notice.url, notice.body)
            }
        }
    }

    /// All is as it is by now.
    func with<Value>(_ body: (inout EpsonSimulatorState) -> Value) -> Value {
        state.withLock { state in
            state.advance(to: clock())
            return body(&state)
        }
    }
}
