import ChilCore
import ChilTestSupport
import Foundation
import Testing

/// A connection to PostgreSQL dies at each message of the protocol while two tenants take turns on it. Whoever is answered is answered
/// with what is theirs.
@Suite(.ownThread)
struct PoisonTests {
    /// The catalogue has 100,000 (CHIL_TEST_ROUNDS), which take half an hour.
    private static let requests = min(Rounds.count(otherwise: 2_000), 100_000)
    /// The connection is cut after the first message, then after the second, and so on, and again from the first.
    private static let messagesMax = 120

    enum Way: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case direct, unnamed, explicit, throughPgBouncer
        /// Of 1.21 or later, by name.
        case throughKeepingPgBouncer
        var testDescription: String { rawValue }

        static let here = allCases.filter { $0 != .throughKeepingPgBouncer || Pooler.keepingStatements != nil }

        var isNamed: Bool { [.direct, .explicit, .throughKeepingPgBouncer].contains(self) }

        func pooler(_ database: TestDatabase) throws -> Pooler? {
            switch self {
            case .direct, .unnamed, .explicit: nil
            case .throughPgBouncer: try Pooler(database)
            case .throughKeepingPgBouncer: try Pooler(database, Pooler.keepingStatements)
            }
        }
    }

    @Test(
        "I-09 no answer has another tenant's marker, wherever the connection to PostgreSQL is cut",
        arguments: Way.here
    )
    func noAnswerIsAnothers(_ way: Way) async throws {
        let bed = try await TestBed()
        let outcome = Result {
            try bed.fill([])
            let pooler = try way.pooler(bed.database)
            defer { pooler?.stop() }
            try Self.poison(bed, pooler, way)
        }
        try await bed.remove()
        try outcome.get()
    }

    private static func poison(_ bed: TestBed, _ pooler: Pooler?, _ way: Way) throws {
        let relay =
            try pooler.map { try Relay(toPostgresAt: $0.port) } ?? Relay(toPostgresOf: bed.database.url("chil_service"))
        defer { relay.close() }
        let service = try bed.start([
            "CHIL_DATABASE_URL": try bed.database.url("chil_service", throughPort: relay.port),
            "CHIL_LISTEN_DATABASE_URL": bed.database.url("chil_service"), "CHIL_LOOPS": "1",
            "CHIL_STATEMENTS": way.isNamed ? "named" : "unnamed",
            "CHIL_SEGMENT": way == .explicit ? "explicit" : "implicit",
        ])
        defer { service.program.signal(SIGKILL) }
        // A session each: two who refresh the same one are one too many.
        let people = try [Tenant.north, .south, .north, .south].map { try Person($0, service, bed.issuer) }
        let run = Run(requests: way == .direct ? requests : requests / 4)
        let cutter = Thread { run.cut(relay) }
        cutter.start()
        let faults = try inParallel(4) { number in
            run.ask(people[number], people[(number + 1) % 4], as: number)
        }.flatMap { $0 }
        run.end()
        #expect(service.program.isRunning, "\(service.program.text.suffix(4_000))")
        #expect(faults.prefix(5) == [])
        // How many are served between the cuts is a matter of how fast one reconnects here.
        print("\(way): \(run.served) of \(run.requests) served, \(run.cuts) cuts")
        #expect(run.served > 50)
        #expect(run.cuts > 20)
        _ = try service.stop()
    }

    /// Somebody, and what nobody of another tenant may be shown.
    struct Person: Sendable {
        private(set) var app: App
        let marker: String
        let drawings: [Int]

        init(_ tenant: Tenant, _ service: Service, _ issuer: TestIssuer) throws {
            app = try App(service, tenant, issuer)
            marker = "marker of \(tenant.slug)"
            let tag = try #require(try app.send("GET", "me")["ETag"])
            let renamed = try service.send(
                Request(
                    "PATCH",
                    "/\(tenant.slug)/me",
                    bearer: app.accessToken,
                    type: "application/merge-patch+json",
                    body: Array("{\"givenName\":\"\(marker)\"}".utf8)
                ).adding("If-Match", tag)
            )
            try #require(renamed.status == 200, "\(renamed.text)")
            let app = app
            drawings = try (0..<3).map { _ in try app.makeDrawing() }
        }

        /// The access token's time is over: many rounds take longer. What is cut here too is asked for again.
        mutating func refresh() -> Bool {
            let request = App.refresh(app.tenant, app.refreshToken)
            return waitUntil(.seconds(30)) {
                guard let answer = try? app.service.send(request), answer.status == 200,
                    let access = try? answer.string("accessToken"), let refresh = try? answer.string("refreshToken")
                else { return false }
                (app.accessToken, app.refreshToken) = (access, refresh)
                return true
            }
        }

        /// What would show that an answer is this person's.
        var marks: [String] { [marker, "\"id\":\(app.userID)"] + drawings.map { "\"drawingId\":\($0)" } }

        func request(_ number: Int) -> (request: Request, mark: String?) {
            switch number % 8 {
            case 0, 4: (app.request("GET", "me"), marker)
            case 1, 5: (app.request("GET", "drawings?limit=200"), "\"drawingId\":\(drawings[0])")
            case 2: (app.request("GET", "drawings/\(drawings[1])"), "\"drawingId\":\(drawings[1])")
            case 3: (app.upload(Picture.png()), nil)
            case 6: (app.request("GET", "auth/sessions"), nil)
            default: (app.request("GET", "drawings/\(drawings[2])/image"), nil)
            }
        }
    }

    /// The requests of one trial, and the cuts meanwhile.
    private final class Run: Sendable {
        let requests: Int
        private let state = Locked((served: 0, cuts: 0, isOver: false))

        init(requests: Int) {
            self.requests = requests
        }

        var served: Int { state.withLock { $0.served } }
        var cuts: Int { state.withLock { $0.cuts } }

        func end() { state.withLock { $0.isOver = true } }

        /// Each number of messages in turn; the next once somebody has been served again.
        func cut(_ relay: Relay) {
            var number = 0
            while !state.withLock({ $0.isOver }) {
                relay.cut(after: number % PoisonTests.messagesMax + 1)
                waitUntil(.seconds(5)) { relay.hasCut || state.withLock { $0.isOver } }
                let before = served
                state.withLock { $0.cuts += 1 }
                waitUntil(.seconds(5)) { served > before || state.withLock { $0.isOver } }
                number += 1
            }
        }

        /// What was wrong with the answers.
        func ask(_ person: Person, _ other: Person, as client: Int) -> [String] {
            var person = person
            var faults: [String] = []
            var connection: Connection?
            // The picture that was uploaded last, to be deleted again: the first page stays the first.
            var made: Int?
            for number in 0..<(requests / 4) {
                if connection == nil { connection = try? Connection(to: person.app.service.port) }
                var (request, mark) = person.request(number)
                if number % 8 == 7, let drawing = made {
                    request = person.app.request("DELETE", "drawings/\(drawing)")
                    made = nil
                }
                guard let answer = try? connection?.send(request) else {
                    faults.append("no answer to \(request.method) \(request.path)")
                    connection = nil
                    continue
                }
                let text = answer.text
                if answer.status / 100 == 2 {
                    state.withLock { $0.served += 1 }
                    if request.method == "POST" { made = try? answer.int("drawingId") }
                    if let mark, !text.contains(mark) { faults.append("\(request.path) without \(mark): \(text)") }
                } else if answer.status == 401 {
                    if !person.refresh() { faults.append("no refresh") }
                } else if answer.status != 503 {
                    faults.append("\(request.path): \(answer.status) \(text)")
                }
                if let found = other.marks.first(where: text.contains) {
                    faults.append("\(request.path) shows another's \(found): \(text)")
                }
            }
            return faults
        }
    }
}
