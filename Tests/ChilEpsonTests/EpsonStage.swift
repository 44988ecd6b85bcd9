import ChilCore
import ChilCrypto
import ChilDevEpson
import ChilHTTP
import ChilLoop
import ChilMedia
import ChilPrint
import ChilTestSupport

@testable import ChilEpson

/// A simulated Epson Connect, and one job that is carried to its end. Time goes on where the job waits, and nowhere else.
struct EpsonStage {
    private typealias Instant = ContinuousClock.Instant

    let generation: EpsonGeneration
    let server: EpsonSimulatorServer
    let loop: EventLoop
    let tokens: MemoryTokens
    let patience: EpsonPatience
    private let clock: Locked<Instant>

    var simulator: EpsonSimulator { server.simulator }

    static func with<Value: Sendable>(
        _ generation: EpsonGeneration,
        patience: EpsonPatience = EpsonPatience(),
        silence: Duration = .seconds(30),
        _ body: @Sendable (EpsonStage) async throws -> Value
    ) async throws -> Value {
        var settings = EpsonSimulatorSettings()
        settings.pace = wait * 2.5
        settings.silence = silence
        let clock = Locked(Instant.now)
        let server = try EpsonSimulatorServer(settings) { clock.withLock { $0 } }
        let thread = try LoopThread()
        defer {
            thread.loop.stop()
            server.stop()
        }
        return try await withTaskExecutorPreference(thread.loop) {
            let site = Self.site(server, generation, patience: patience)
            let tokens = MemoryTokens(EpsonGranting(site, on: thread.loop), generation, server.simulator)
            return try await body(
                EpsonStage(
                    generation: generation,
                    server: server,
                    loop: thread.loop,
                    tokens: tokens,
                    patience: patience,
                    clock: clock
                )
            )
        }
    }

    static func site(
        _ server: EpsonSimulatorServer,
        _ generation: EpsonGeneration,
        isPrivate: Bool = true,
        upload: String? = nil,
        patience: EpsonPatience = EpsonPatience()
    ) -> EpsonSite {
        let settings = server.simulator.settings
        func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }
        var site = EpsonSite(
            generation,
            api: HTTPURL(server.origin)!,
            auth: HTTPURL(server.origin)!,
            upload: HTTPURL(upload ?? server.uploadOrigin)!,
            isPrivate: isPrivate,
            clientID: settings.clientID,
            clientSecret: secret(settings.clientSecret),
            apiKey: generation == .v2 ? secret(settings.apiKey) : nil,
            address: settings.address
        )
        site.patience = patience
        return site
    }

    var client: EpsonClient { EpsonClient(Self.site(server, generation, patience: patience), tokens, on: loop) }

    func driver(_ paper: PaperSize = .a4) -> EpsonDriver {
        EpsonDriver(client, name: Self.name, pages: OnePage(paper: paper))
    }

    /// How far a wait of the job takes the simulator: it is asked twice before anything happens there.
    private static let wait = Duration.seconds(15)
    static let name = PrintJobName(tenant: TenantID(rawValue: 3), job: PrintJobID(rawValue: 44), title: "그림")

    /// A job on its way.
    struct Run {
        var machine: PrintJobMachine
        var driver: EpsonDriver
        var now: Timestamp
        var statuses: [String] = []
        var steps = 0

        init(_ driver: EpsonDriver) {
            now = Timestamp(seconds: 1_780_315_200)
            machine = PrintJobMachine(at: now, expiresAt: now + PrintSchedule.lifetime)
            self.driver = driver
        }

        mutating func note() {
            let status = machine.status.rawValue + (machine.reason.map { "(\($0))" } ?? "")
            if statuses.last != status { statuses.append(status) }
        }
    }

    /// - Parameters:
    ///   - dyingAt: a worker dies at this step, `true`: after it was done; another takes over.
    ///   - meanwhile: called after each step.
    func run(
        dyingAt death: (step: Int, isDone: Bool)? = nil,
        paper: PaperSize = .a4,
        stepsMax: Int = 400,
        _ meanwhile: (inout Run) -> PrintEvent? = { _ in nil }
    ) async -> Run {
        var run = Run(driver(paper))
        var step = run.machine.received(.taken, at: run.now)
        run.note()
        while step != .done, run.steps < stepsMax {
            if case .wait(let until) = step {
                clock.withLock { $0 += Self.wait }
                run.now = max(until, run.now)
                step = run.machine.received(.taken, at: run.now)
            } else {
                run.steps += 1
                if let death, death.step == run.steps {
                    if death.isDone { _ = await run.driver.perform(step) }
                    run.driver = driver(paper)
                    step = run.machine.received(.taken, at: run.now)
                } else if let event = await run.driver.perform(step) {
                    step = run.machine.received(event, at: run.now)
                }
            }
            run.note()
            if let event = meanwhile(&run) { step = run.machine.received(event, at: run.now) }
            run.note()
        }
        return run
    }
}

/// One PDF, as far as anybody looks.
struct OnePage: PrintPages {
    let paper: PaperSize

    func document(for printer: PrinterSnapshot) async throws(PrintPagesFault) -> PrintDocument {
        PrintDocument(bytes: Array("%PDF-1.4 a page".utf8), format: .pdf, paper: paper)
    }
}

/// Tokens as the vault has them, for one process alone.
final class MemoryTokens: EpsonTokens {
    private let granting: EpsonGranting
    private let generation: EpsonGeneration
    private var refresh: SecretBytes?
    private var token: EpsonToken?
    private let code: String

    static let redirect = "http://127.0.0.1:8765/epson"

    init(_ granting: EpsonGranting, _ generation: EpsonGeneration, _ simulator: EpsonSimulator) {
        self.granting = granting
        self.generation = generation
        code = generation == .v2 ? simulator.permit(redirectURI: Self.redirect) : ""
    }

    func token(insteadOf refused: EpsonToken?) async throws(EpsonFault) -> EpsonToken {
        if let token, token.number > refused?.number ?? 0 { return token }
        let grant: EpsonGrant
        if generation == .v1 {
            grant = try await granting.password()
        } else if let refresh {
            grant = try await granting.refreshed(refresh)
        } else {
            grant = try await granting.exchange(
                code: SecretBytes(copying: Array(code.utf8)),
                redirectURI: Self.redirect
            )
        }
        refresh = grant.refresh ?? refresh
        let made = EpsonToken(number: (token?.number ?? 0) + 1, access: grant.access, deviceID: grant.deviceID)
        token = made
        return made
    }
}
