import ChilAuth
import ChilCore
import ChilDatabase
import ChilHTTP
import ChilLoop
import ChilS3
import ChilStore
import Synchronization

/// One loop's share of the service: its requests, its database connections, its caches. Not `Sendable`.
final class APIService: RequestHandler {
    let loop: EventLoop
    let shared: SharedState
    let database: DatabaseClient
    let tenants: TenantCache
    let sessions: SessionCache
    let authenticator: Authenticator
    let refreshes: RefreshDesk
    let ids: IDSource
    let images: ImageReader
    let thumbnails: ThumbnailDesk
    let work: WorkAnnouncer
    let live: LiveDesk
    let liveNews: LiveAnnouncer
    let signedURL: SignedURL
    let cursor: ListCursor
    let exports = ExportRoom()
    let repeatedSignIns = RepeatedSignIns()
    let limiter: RateLimiter
    let nameQueue = NameQueue()
    let requestLeases: RequestLeases
    var admissions: [Admission] = []
    private let traffic: TrafficMeter
    let onceMarks: OnceMarks
    /// Shortens the lives of access tokens.
    var jitter = Jitter()
    private var requestIDs = RequestIDs()
    private let router = Route.router
    private let routes = Route.numbered
    private(set) var isStopping = false
    /// For calls to providers' token endpoints that this loop waits for: anybody can send codes, and each is such a call.
    var exchangeRoom = TenantRoom(placesMax: 512, placesOfTenantMax: 32)
    /// For requests that wait for a picture to be made.
    var pictureRoom = TenantRoom(placesMax: 4_096, placesOfTenantMax: 512)
    /// Ends of large accounts that this loop waits for: each has a database connection of its own.
    var longDeletions = 0

    init(_ shared: SharedState, on loop: EventLoop) {
        self.shared = shared
        self.loop = loop
        database = DatabaseClient(shared.configuration.database, on: loop)
        tenants = TenantCache(
            on: loop,
            database,
            shared.freshness,
            publicURL: shared.configuration.publicURL,
            sealer: shared.sealer,
            shared.log
        )
        traffic = TrafficMeter(shared.traffic)
        sessions = SessionCache()
        images = ImageReader(
            ImageStore(database, shared.configuration.s3.map { S3Client($0, on: loop) }),
            shared.images
        )
        thumbnails = ThumbnailDesk(database, images, shared.rasterizer)
        work = WorkAnnouncer(on: loop, database, shared.work, pictures: shared.pictures, scans: shared.scans)
        live = LiveDesk(on: loop, database, shared.freshness, tenants, shared.livePeople)
        liveNews = LiveAnnouncer(on: loop, database)
        authenticator = Authenticator(on: loop, database, shared.freshness, sessions, tenants)
        refreshes = RefreshDesk(database)
        let limiter = RateLimiter(
            RateKeys(shared.keyRing.currentSubkey(.rate)),
            on: loop,
            database,
            loopsOfProcess: shared.configuration.loops
        )
        self.limiter = limiter
        requestLeases = RequestLeases(on: loop, database, limiter)
        onceMarks = OnceMarks(key: shared.keyRing.currentSubkey(.once))
        ids = IDSource(holder: "chilapi-\(requestIDs.next().text)", on: loop) {
            limiter.start { shared.startedLoops.wrappingAdd(1, ordering: .relaxed) }
        }
        signedURL = SignedURL(keys: shared.subkeys(.url))
        cursor = ListCursor(key: shared.keyRing.currentSubkey(.cursor))
    }

    // MARK: Beside the requests

    func background() async {
        database.open()
        loop.every(.seconds(1)) { [weak self] in
            guard let self else { return false }
            traffic.handOn(at: loop.wallClock)
            return !isStopping
        }
        let live = live
        await withDiscardingTaskGroup { group in
            group.addTask(executorPreference: loop) { await live.run() }
            await ids.keep(on: database)
            live.stop()
        }
        await requestLeases.giveAllBack()
        database.close()
    }

    /// Called when the server stops; the database stays open for the requests that still run.
    func stop() {
        isStopping = true
        shared.drawings.ringAll()
        live.stop()
    }

    /// Called when the last request is done.
    func requestsAreDone() {
        ids.stop()
    }

    // MARK: Requests

    func respond(to exchange: Exchange) async -> Response {
        let id = requestIDs.next()
        let admission = takeAdmission()
        var response: Response
        do {
            response = try await answer(exchange, id, admission)
        } catch {
            response = refusal(error, id)
        }
        admission.write(into: &response)
        if response.status.rawValue >= 400, let taken = admission.provisional { requestLeases.giveBack(taken) }
        giveBack(admission)
        response.add("X-Request-Id", id)
        return response
    }

    func refusal(_ rejection: ChilHTTP.Rejection) -> Response {
        let id = requestIDs.next()
        var response = Problem.rejected(rejection).response(instance: id.text)
        response.add("X-Request-Id", id)
        response.closes = true
        return response
    }

    private func answer(_ exchange: Exchange, _ id: RequestID, _ admission: Admission) async throws -> Response {
        switch router.match(exchange.head) {
        case .found(let number, let captures):
            let route = routes[number]
            switch route {
            case .health: return Self.healthy
            case .ready: return readiness()
            case _ where !shared.configuration.roles.serves: throw Problem.notFound
            case .openAPI: return openAPI(exchange.head)
            case .sharedNotification:
                traffic.countOthers()
                try await admitSharedNotification(exchange, admission)
                return try await takeSharedNotification(exchange, at: loop.wallClock)
            default: break
            }
            guard let slug = captures.text(0, of: exchange.head) else { throw Problem.notFound }
            let address = clientAddress(exchange)
            let tenant: TenantContext
            if let known = tenants.fresh(slug), try admitNow(route, known, address, admission) {
                tenant = known
            } else {
                tenant = try await admittedTenant(slug, route, address, admission)
            }
            traffic.count(tenant.tally)
            if tenant.isSuspended, !route.servesSuspended { throw Problem.tenantSuspended }
            if !route.isCounted { admission.isNeverCounted() }
            let call = Call(
                exchange: exchange,
                id: id,
                tenant: tenant,
                captures: captures,
                now: loop.wallClock,
                address: address,
                admission: admission
            )
            return try await answer(route, call)
        case .options(let allow):
            var response = Response(.noContent)
            response.add("Allow", allow)
            return response
        case .methodNotAllowed(let allow): throw Problem.methodNotAllowed(allow)
        case .notFound: throw Problem.notFound
        }
    }

    private func answer(_ route: Route, _ call: Call) async throws -> Response {
        switch route {
        case .health: Self.healthy
        case .ready: readiness()
        case .openAPI: openAPI(call.head)
        case .nonce: try await makeNonce(call)
        case .signInWithApple: try await signInWithApple(call)
        case .token: try await token(call)
        case .authorize: try authorize(call)
        case .callback: try await callback(call)
        case .refresh: try await refresh(call)
        case .logout: try await logout(call)
        case .listSessions: try await listSessions(call)
        case .endSession: try await endSession(call)
        case .keys: keys(call)
        case .me: try await me(call)
        case .changeMe: try await changeMe(call)
        case .deleteMe: try await deleteMe(call)
        case .accountDeletion: try await accountDeletion(call)
        case .exportMe: try await exportMe(call)
        case .notification: try await takeNotification(call)
        case .sharedNotification: try await takeSharedNotification(call.exchange, at: call.now)
        case .generateDrawing: try await generateDrawing(call)
        case .uploadDrawing: try await uploadDrawing(call)
        case .listDrawings: try await listDrawings(call)
        case .drawing: try await drawing(call)
        case .drawingImage: try await drawingImage(call)
        case .changeDrawing: try await changeDrawing(call)
        case .deleteDrawing: try await deleteDrawing(call)
        case .print: try await printDrawing(call)
        case .printJob: try await printJob(call)
        case .listPrintJobs: try await listPrintJobs(call)
        case .cancelPrintJob: try await cancelPrintJob(call)
        case .retryPrintJob: try await retryPrintJob(call)
        case .listPrinters: try await listPrinters(call)
        case .quota: try await quotas(call)
        case .consents: try await consents(call)
        case .sayConsent: try await sayConsent(call)
        case .retention: try await retention(call)
        case .scan: try await receiveScan(call)
        case .scanSession: try await openScanSession(call)
        case .epsonNotice: try await takeEpsonNotice(call)
        case .events: try await events(call)
        case .moveDrawing: try await moveDrawing(call)
        }
    }

    /// Who calls, or `Problem.unauthorized`.
    func session(_ call: Call) async throws -> Session {
        let bearer = try authenticator.bearer(in: call.head)
        if let session = try authenticator.vouched(bearer, of: call.tenant, at: call.now) {
            if try !call.admission.admitNow(session.user, of: call.tenant.id, limiter) {
                try await admit(session.user, call)
            }
            if call.tenant.countsRequests { try await count(by: session.user, call.tenant, call.admission) }
            return session
        }
        return try await authenticator.session(bearer, in: call.head, of: call.tenant, at: call.now) { user in
            try await admit(user, call)
            if call.tenant.countsRequests { try await count(by: user, call.tenant, call.admission) }
        }
    }

    private func admit(_ user: UserID, _ call: Call) async throws {
        try await call.admission.admit(user, of: call.tenant.id, limiter)
    }

    // MARK: Errors, at one border

    private func refusal(_ error: any Error, _ id: RequestID) -> Response {
        if let problem = error as? Problem { return problem.response(instance: id.text) }
        if let fault = error as? ImageObjectFault {
            shared.log.write(.error, "image store", [("request", id.text), ("error", "\(fault)")])
            return Problem.imageStoreAway.response(instance: id.text)
        }
        guard let error = error as? DatabaseError else {
            shared.log.write(.error, "request failed", [("request", id.text), ("error", "\(error)")])
            return Problem.internalError.response(instance: id.text)
        }
        switch error.code {
        case .unavailable, .timedOut, .contended: return Problem.databaseAway.response(instance: id.text)
        case .overloaded: return Problem.overloaded.response(instance: id.text)
        case .outcomeUnknown: return Problem.outcomeUnknown.response(instance: id.text)
        case .exhausted, .forbidden:
            log(error, id)
            return Problem.databaseAway.response(instance: id.text)
        case .constraint where error.isOfDeletedUser: return Problem.unauthorized.response(instance: id.text)
        case .conflict, .constraint, .broken, .malformedResult:
            log(error, id)
            return Problem.internalError.response(instance: id.text)
        }
    }

    private func log(_ error: DatabaseError, _ id: RequestID) {
        shared.log.write(
            .error,
            "database error",
            [
                ("request", id.text), ("error", "\(error)"), ("detail", error.detail), ("where", "\(error.location)"),
            ]
        )
    }

    // MARK: Health

    /// The process serves requests: nothing else is asked.
    private static let healthy = Response(.ok, "text/plain", .bytes(Array("ok".utf8)))

    /// Once every loop can serve, whichever is asked; later a short absence of the database is borne.
    private func readiness() -> Response {
        let hasStarted = shared.startedLoops.load(ordering: .relaxed) >= shared.configuration.loops
        let isReady =
            !isStopping && hasStarted && (database.isConnected || database.awayFor < Self.awayPatience)
        return Response(
            isReady ? .ok : .serviceUnavailable,
            "text/plain",
            .bytes(Array((isReady ? "ready" : "not ready").utf8))
        )
    }

    private static let awayPatience = Duration.seconds(5)
}

extension Response {
    mutating func add(_ name: StaticString, _ id: RequestID) {
        var text: [UInt8] = []
        text.reserveCapacity(20)
        id.append(to: &text)
        add(name, text)
    }

    /// An answer with somebody's data: no cache may keep it.
    ///
    /// - Parameter body: taken where it lies: from a copy of the writer the bytes would be copied too.
    static func json(_ status: Status, _ body: inout ByteWriter) -> Response {
        var response = Response(status, "application/json", .bytes(body.finish()))
        response.add("Cache-Control", "no-store")
        return response
    }
}
