import ChilConsole
import ChilCore
import ChilDatabase
import ChilStore

/// Answers what the console asks: pages by statements of its own, descriptions and acts by the commands' code.
///
/// Not `Sendable`: one task's.
final class ConsoleFeed {
    let services: LiveServices
    let database: SharedDatabase
    private let isReadOnly: Bool
    /// What the last page knows of its rows beyond what it shows, by key.
    var known: [String: [(String, Field)]] = [:]
    /// The database's counters at the last look, for rates.
    var lastLook: WatchDatabase.Row?

    init(_ services: LiveServices, _ database: SharedDatabase, isReadOnly: Bool) {
        self.services = services
        self.database = database
        self.isReadOnly = isReadOnly
    }

    func close() async {
        await database.close()
    }

    func answer(_ request: ConsoleRequest) async -> ConsoleEvent? {
        do throws(AdminFault) {
            switch request {
            case .page(let number, let query):
                return .page(number, try await page(query))
            case .detail(let number, let row, let asJSON):
                let members = try await describe(row)
                return .detail(number, asJSON ? Self.json(members) : Self.lines(members))
            case .picture(let number, let row, let width, let height):
                return .picture(number, try await picture(of: row, width: width, height: height))
            case .names(let number, let prefix):
                return .names(number, try await rows(WatchSlugs(prefix: prefix)))
            case .act(let number, let act, let targets):
                return await self.act(number, act, targets)
            case .repaint, .suspend, .quit: return nil
            }
        } catch {
            let isAway = error.status == .databaseAway || error.status == .tryLater
            return .failed(Self.token(of: request), SafeText.clean(error.message), isAway: isAway)
        }
    }

    private static func token(of request: ConsoleRequest) -> Int {
        switch request {
        case .page(let token, _), .detail(let token, _, _), .picture(let token, _, _, _), .names(let token, _),
            .act(let token, _, _):
            token
        case .repaint, .suspend, .quit: 0
        }
    }

    // MARK: The database

    /// One statement by the console's own connection.
    func rows<S: Statement>(_ statement: S) async throws(AdminFault) -> [S.Row] {
        do throws(DatabaseError) {
            return try await Watch.rows(of: statement, from: database)
        } catch {
            throw services.fault(error)
        }
    }

    func tenant(_ slug: String?) async throws(AdminFault) -> TenantRecord {
        let slug = slug ?? ""
        guard let found = try await rows(TenantBySlug(slug: slug)).first else { throw .noSuchTenant(slug) }
        return found
    }

    func page(_ query: PageQuery) async throws(AdminFault) -> ConsolePage {
        known = [:]
        return switch query.place.noun {
        case .overview, .tenants: try await tenants(query)
        case .users: try await users(query)
        case .sessions: try await sessions(query)
        case .drawings: try await drawings(query)
        case .printers: try await printers(query)
        case .jobs: try await jobs(query)
        case .queue: try await queue(query)
        case .audit: try await audit(query)
        case .services: try await replicas(query)
        case .database: try await health()
        }
    }

    /// One more than there is room for was asked for: whether it came, it is not shown.
    func cut<Row>(_ rows: [Row], _ countMax: Int, _ cursor: (Row) -> String) -> (rows: ArraySlice<Row>, next: String?) {
        let shown = rows.prefix(countMax)
        return (shown, rows.count > countMax ? shown.last.map(cursor) : nil)
    }

    // MARK: Describing

    private func describe(_ row: RowName) async throws(AdminFault) -> [(String, Field)] {
        if let members = known[row.key] { return members }
        guard let slug = Slug(row.tenant ?? row.key) else { throw .noSuchTenant(row.tenant ?? row.key) }
        let members = try await described(row, of: slug)
        await services.closeDatabase()
        return members
    }

    private func described(_ row: RowName, of slug: Slug) async throws(AdminFault) -> [(String, Field)] {
        switch row.noun {
        case .overview, .tenants: return Self.members(of: try await services.tenant(slug))
        case .users:
            guard let user = UserNumber(argument: row.key) else { break }
            return Self.members(of: try await services.user(user, of: slug))
        case .printers: return Self.members(of: try await services.printer(named: row.key, of: slug))
        case .jobs:
            guard let job = JobNumber(argument: row.key) else { break }
            return Self.members(of: try await services.job(job, of: slug))
        case .sessions, .drawings, .queue, .audit, .services, .database: break
        }
        throw AdminFault(.notFound, "nothing more is known of it", remedy: "Look again: it may be gone.")
    }

    static func members<Row: ListingRow>(of row: Row) -> [(String, Field)] {
        Row.columns.map { ($0.key, $0.value(row)) }
    }

    private static func lines(_ members: [(String, Field)]) -> [DetailLine] {
        members.flatMap { name, field in
            if case .list(let texts) = field, texts.count > 1 {
                return texts.enumerated().map { DetailLine($0.offset == 0 ? name : "", $0.element) }
            }
            return [DetailLine(name, field.cell)]
        }
    }

    private static func json(_ members: [(String, Field)]) -> [DetailLine] {
        JSONText.object(members).split(separator: "\n", omittingEmptySubsequences: false).map {
            DetailLine("", String($0))
        }
    }

    // MARK: Acting

    private func act(_ token: Int, _ act: Act, _ targets: [RowName]) async -> ConsoleEvent {
        guard !isReadOnly else { return .acted(token, done: 0, fault: "this console is read-only") }
        var done = 0
        var fault: AdminFault?
        for target in targets where fault == nil {
            do throws(AdminFault) {
                try await perform(act, on: target)
                done += 1
            } catch {
                fault = error
            }
        }
        await services.closeDatabase()
        return .acted(token, done: done, fault: fault.map { SafeText.clean("\($0.message). \($0.remedy)") })
    }

    private func perform(_ act: Act, on target: RowName) async throws(AdminFault) {
        guard let slug = Slug(target.tenant ?? "") else { throw .noSuchTenant(target.tenant ?? "") }
        let (user, session, job) = (
            UserNumber(argument: target.key), SessionNumber(argument: target.key), JobNumber(argument: target.key)
        )
        switch act {
        case .suspendTenant: _ = try await services.setTenant(slug, to: .suspended)
        case .resumeTenant: _ = try await services.setTenant(slug, to: .active)
        case .banUser: _ = try await services.setUser(try Self.need(user), of: slug, to: .banned)
        case .unbanUser: _ = try await services.setUser(try Self.need(user), of: slug, to: .active)
        case .signOutUser: _ = try await services.endSessions(.allOf(user: try Self.need(user)), of: slug)
        case .deleteUser: _ = try await services.deleteUser(try Self.need(user), of: slug)
        case .revokeSession: _ = try await services.endSessions(.one(try Self.need(session)), of: slug)
        case .cancelJob: _ = try await services.cancelJob(try Self.need(job), of: slug)
        case .retryJob: _ = try await services.retryJob(try Self.need(job), of: slug)
        case .enablePrinter: _ = try await services.setPrinter(named: target.key, of: slug, to: .enabled)
        case .disablePrinter: _ = try await services.setPrinter(named: target.key, of: slug, to: .disabled)
        case .drainPrinter: _ = try await services.setPrinter(named: target.key, of: slug, to: .draining)
        }
    }

    private static func need<Number>(_ number: Number?) throws(AdminFault) -> Number {
        guard let number else { throw AdminFault(.notFound, "there is no such row", remedy: "Look again.") }
        return number
    }
}
