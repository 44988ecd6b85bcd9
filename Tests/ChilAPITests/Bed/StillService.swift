import ChilAuth
import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAPI

/// A service in this process, on one loop, whose wall clock stands where a test puts it. It serves the database of a bed, beside the
/// bed's own services.
final class StillService: Sendable {
    let port: UInt16
    private let listener: Listener
    private let thread: LoopThread
    private let server: HTTPLoop
    private let worker: Worker
    private let running: Task<Void, Never>
    /// In the bed's folder, where the logs of all its services are.
    private let log: FileHandle

    /// Runs `body` with a service at `now`.
    static func with(
        _ bed: TestBed,
        at now: Timestamp,
        _ settings: [String: String] = [:],
        _ body: (StillService) async throws -> Void
    ) async throws {
        let service = try StillService(bed, at: now, settings)
        let outcome: Result<Void, any Error>
        do {
            try service.waitUntilReady()
            outcome = .success(try await body(service))
        } catch {
            outcome = .failure(error)
        }
        await service.stop()
        try outcome.get()
    }

    private init(_ bed: TestBed, at now: Timestamp, _ settings: [String: String]) throws {
        let settings = bed.settings.merging(["CHIL_LOOPS": "1"]) { $1 }.merging(settings) { $1 }
        let keys = try KeyRing(parsing: Array(try Data(contentsOf: URL(fileURLWithPath: bed.keyFile))))
        let file = bed.folder.appendingPathComponent("chilapi-still-\(UUID()).log")
        try Data().write(to: file)
        let log = try FileHandle(forWritingTo: file)
        let shared = SharedState(
            try ServiceConfiguration(environment: settings),
            keyRing: keys,
            logDescriptor: log.fileDescriptor
        )
        let listener = try Listener(on: SocketAddress(numericHost: "127.0.0.1", port: 0)!)
        let thread = try LoopThread()
        let loop = thread.loop
        var limits = ServerLimits()
        limits.idleGrace = .zero
        let server = HTTPLoop(listener, limits, shared.balance, on: loop) { APIService(shared, on: $0) }
        let worker = Worker(shared, on: loop)
        loop.post { loop.stoppedWallClock = now }
        running = Task(executorPreference: loop) {
            async let work: Void = worker.run()
            try? await server.run()
            await work
        }
        let news = News(shared, [server])
        loop.post { news.open(on: loop) }
        (self.listener, self.thread, self.server, self.worker, self.log) = (listener, thread, server, worker, log)
        port = listener.address.port
    }

    /// From the next request on.
    func move(to now: Timestamp) {
        let loop = thread.loop
        loop.post { loop.stoppedWallClock = now }
    }

    /// Signatures of access tokens that its loop has checked so far.
    func signatureChecks() async -> Int {
        await withCheckedContinuation { continuation in
            server.withHandler {
                continuation.resume(returning: ($0 as? APIService)?.authenticator.signatureChecks ?? -1)
            }
        }
    }

    /// One request on a connection of its own.
    func send(_ request: Request) throws -> Answer {
        try Connection(to: port).send(request)
    }

    /// The answer to a sign-in with a token of now.
    func signIn(_ tenant: Tenant, _ issuer: TestIssuer, subject: String) throws -> Answer {
        let nonce = try send(Request("POST", "/\(tenant.slug)/auth/nonce")).string("nonce")
        let token = try IdentityToken(issuer, tenant, subject: subject, nonce: nonce).signed(issuer.es256)
        let answer = try send(App.signIn(tenant, token, nonce))
        try #require(answer.status == 200, "\(answer.text)")
        return answer
    }

    private func waitUntilReady() throws {
        let isReady = try waitUntil(.seconds(20)) { try send(Request("GET", "/readyz")).status == 200 }
        guard isReady else { throw Program.Failure(description: "the service is not ready") }
    }

    private func stop() async {
        worker.requestStop()
        server.requestStop()
        await running.value
        thread.loop.stop()
        thread.join()
        listener.close()
        try? log.close()
    }
}
