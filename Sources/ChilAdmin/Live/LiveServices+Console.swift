import ChilConsole
import ChilCore
import ChilDatabase
import Glibc

extension LiveServices: ConsoleServices {
    func watch(_ draft: ConsoleDraft) async throws(AdminFault) {
        let environment = Environment.ofProcess
        let device = try TerminalDevice()
        let isPlain = CommandLine.arguments.contains("--no-color")
        guard let ability = TerminalAbility(environment: { environment[$0] }, isPlain: isPlain) else {
            throw AdminFault(
                .configuration,
                "this terminal (TERM=\(environment["TERM"] ?? "")) cannot move its cursor",
                remedy: "Set TERM to what it is, or use the other commands: `chiladmin help`."
            )
        }
        let isReadOnly = draft.isReadOnly || self.settings.context?.isReadOnly == true
        let feed = ConsoleFeed(self, try watchDatabase(), isReadOnly: isReadOnly)
        let settings = ConsoleModel.Settings(
            label: try label(),
            context: self.settings.context.map(ConsoleContext.init),
            isReadOnly: isReadOnly,
            refresh: .seconds(draft.refreshSeconds)
        )
        var model = ConsoleModel(settings, size: device.size, ability: ability, at: now())
        let beginning = model.begin(with: draft.tenant?.text)
        device.enter()
        let (events, telling) = AsyncStream<ConsoleEvent>.makeStream()
        let requests = ConsoleRequests()
        let input = ConsoleInput(device, telling)
        input.start()
        let (screen, begun) = (ConsoleScreen(device: device, events: events, requests: requests), model)
        await withTaskGroup { group in
            group.addTask {
                await screen.run(begun, beginning: beginning)
                input.stop()
                TerminalRescue.end()
                requests.finish()
            }
            await requests.serve { request in
                if let event = await feed.answer(request) { telling.yield(event) }
            }
            await group.waitForAll()
        }
        await feed.close()
    }

    /// One connection, for looking alone.
    ///
    /// - Parameter bulk: how many more, for bytes of images.
    func watchDatabase(bulk: Int = 0) throws(AdminFault) -> SharedDatabase {
        var configuration = try databaseConfiguration()
        configuration.readConnections = 1
        configuration.writeConnections = 0
        configuration.writeConnectionsMax = 0
        configuration.bulkConnections = bulk
        configuration.batchPatience = .seconds(4)
        configuration.silenceMax = .seconds(5)
        return SharedDatabase(configuration, on: try loop())
    }

    /// The database's name, without what else its address says.
    private func label() throws(AdminFault) -> String {
        let url = try settings.requireDatabaseURL()
        let path = url.split(separator: "?", maxSplits: 1).first ?? ""
        guard path.contains("://"), let name = path.split(separator: "/").last, !name.contains("@") else {
            return "chiladmin"
        }
        return "chiladmin \(name)"
    }
}

extension ConsoleContext {
    init(_ context: DatabaseContext) {
        let colour = context.colour
        self.init(name: context.name.text, colour: colour == .none ? nil : UInt8(colour.code - 30))
    }
}
