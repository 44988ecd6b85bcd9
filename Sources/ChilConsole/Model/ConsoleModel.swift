package import ChilCore

/// The console as a value: what is known, what is shown, what is typed. It reads no clock and asks nobody: events come in, requests go out.
package struct ConsoleModel: Equatable, Sendable {
    /// What the console is of.
    package struct Settings: Equatable, Sendable {
        /// The database, in a word.
        package let label: String
        /// What the operator calls it.
        package let context: ConsoleContext?
        package let isReadOnly: Bool
        package let refresh: Duration

        package init(
            label: String,
            context: ConsoleContext? = nil,
            isReadOnly: Bool,
            refresh: Duration = .seconds(2)
        ) {
            self.label = label
            self.context = context
            self.isReadOnly = isReadOnly
            self.refresh = refresh
        }
    }

    enum Overlay: Equatable, Sendable {
        case none
        case help(top: Int)
        case detail(RowName, title: String, lines: [DetailLine]?, isJSON: Bool, top: Int)
        case picture(RowName, title: String, Picture?, isKnown: Bool)
    }

    /// The database does not answer.
    struct Away: Equatable, Sendable {
        let text: String
        let since: Timestamp
        let tries: Int
    }

    struct Notice: Equatable, Sendable {
        let text: String
        let tone: Tone
        let until: Timestamp
    }

    let settings: Settings
    package internal(set) var size: ScreenSize
    package internal(set) var ability: TerminalAbility
    var now: Timestamp
    /// From the root to what is shown.
    var panes: [Pane]
    var overlay = Overlay.none
    var prompt: Prompt?
    var dialog: Dialog?
    var notice: Notice?
    var away: Away?
    /// The page that is asked for: its token, and since when.
    private(set) var asked: (token: Int, at: Timestamp, chosen: String?)?
    private var nextAsk: Timestamp
    private var lastToken = 0
    /// What else is waited for.
    var detailToken = 0
    var namesToken = 0

    package init(_ settings: Settings, size: ScreenSize, ability: TerminalAbility, at now: Timestamp) {
        self.settings = settings
        self.size = size
        self.ability = ability
        self.now = now
        nextAsk = now
        panes = [Pane(Place(.overview))]
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.size == right.size && left.ability == right.ability && left.now == right.now && left.panes == right.panes
            && left.overlay == right.overlay && left.prompt == right.prompt && left.dialog == right.dialog
            && left.notice == right.notice && left.away == right.away && left.asked?.token == right.asked?.token
    }

    var pane: Pane {
        get { panes[panes.count - 1] }
        set { panes[panes.count - 1] = newValue }
    }

    var place: Place { pane.place }

    /// What is asked for when it begins.
    ///
    /// - Parameter tenant: whose users are shown first.
    package mutating func begin(with tenant: String? = nil) -> [ConsoleRequest] {
        guard let tenant else { return ask() }
        return jump(.users, to: tenant)
    }

    package mutating func received(_ event: ConsoleEvent) -> [ConsoleRequest] {
        switch event {
        case .input(.key(let key)): return received(key)
        case .input(.report(let report)):
            ability.heard(report)
            return []
        case .resized(let size):
            self.size = size
            return [.repaint] + ask() + askPicture()
        case .resumed: return [.repaint] + ask()
        case .ended: return [.quit]
        case .tick(let moment): return ticked(moment)
        case .page(let token, let page):
            guard token == asked?.token else { return [] }
            let chosen = asked?.chosen
            asked = nil
            away = nil
            pane.received(page, at: now)
            // The overview tells of the row that is chosen: another was meanwhile.
            return place.noun == .overview && pane.chosenRow?.key != chosen ? ask() : []
        case .failed(let token, let text, let isAway):
            failed(token, text, isAway)
            return []
        case .detail(let token, let lines):
            guard token == detailToken, case .detail(let row, let title, _, let isJSON, let top) = overlay else {
                return []
            }
            overlay = .detail(row, title: title, lines: lines, isJSON: isJSON, top: top)
            return []
        case .picture(let token, let picture):
            guard token == detailToken, case .picture(let row, let title, _, _) = overlay else { return [] }
            overlay = .picture(row, title: title, picture, isKnown: true)
            return []
        case .names(let token, let names):
            if token == namesToken { prompt?.names = names }
            return []
        case .acted(_, let done, let fault):
            say(fault.map { "\(done) done; then: \($0)" } ?? "\(done) done.", fault == nil ? .good : .alarm)
            return ask()
        }
    }

    // MARK: Asking

    mutating func fresh() -> Int {
        lastToken += 1
        return lastToken
    }

    /// The page that is shown, anew.
    mutating func ask() -> [ConsoleRequest] {
        let token = fresh()
        asked = (token, now, pane.chosenRow?.key)
        nextAsk = now + settings.refresh
        let query = PageQuery(
            place,
            after: pane.after,
            countMax: ConsoleLayout(size, place.noun).rows,
            filter: pane.filter,
            chosen: pane.chosenRow?.key
        )
        return [.page(token, query)]
    }

    private mutating func ticked(_ moment: Timestamp) -> [ConsoleRequest] {
        now = moment
        if let notice, notice.until <= now { self.notice = nil }
        // What lies behind a description is not on the screen.
        guard case .none = overlay else { return [] }
        if let asked, asked.at + Self.patience > now { return [] }
        return now >= nextAsk ? ask() : []
    }

    private mutating func failed(_ token: Int, _ text: String, _ isAway: Bool) {
        guard token == asked?.token else {
            if case .detail = overlay { overlay = .none }
            if case .picture = overlay { overlay = .none }
            say(text, .alarm)
            return
        }
        asked = nil
        guard isAway else {
            pane.received(ConsolePage([]), at: now)
            nextAsk = now + .seconds(5)
            say(text, .alarm)
            return
        }
        let tries = (away?.tries ?? 0) + 1
        away = Away(text: text, since: away?.since ?? now, tries: tries)
        nextAsk = now + .seconds(min(30, 1 << min(tries, 5)))
    }

    var secondsToNextTry: Int64 { max(0, (nextAsk.microseconds - now.microseconds) / 1_000_000) }

    mutating func say(_ text: String, _ tone: Tone) {
        notice = Notice(text: text, tone: tone, until: now + .seconds(8))
    }

    /// Longer than the database is waited for.
    private static let patience = Duration.seconds(20)
}
