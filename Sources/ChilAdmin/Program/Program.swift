/// One run of `chiladmin`: words in, text and an exit status out.
///
/// Whatever a command needs is made by `makeServices`, only after its words were found right.
struct Program {
    /// The release, for `--version`.
    static let version = "0.1.0"

    let console: any Console
    let environment: Environment
    let makeServices: (Settings) -> any AdminServices
    var table = CommandTable.standard
    var terminal: any Terminal = StandardTerminal()
    var zone = LocalZone.ofProcess
    /// Ends the process when a shell has waited long enough for names.
    var endLate: () -> Void = {}

    /// - Parameter words: the command line without the program's own name.
    func run(_ words: [String]) async -> ExitCode {
        if words.first == "__complete" {
            await complete(Array(words.dropFirst(words.count > 1 && words[1] == "--" ? 2 : 1)))
            return .success
        }
        if words == ["__man"] { return write(ManPage.text(table), mayPage: false) }
        do {
            switch try Invocation(words, table: table) {
            case .page(let page):
                return write(page, mayPage: !words.contains("--no-pager"))
            case .pageForMistake(let page):
                console.talk(page)
                return .usage
            case .command(let command, let globals):
                if !globals.isDryRun, let severe = command as? any SevereCommand {
                    try severe.requireConfirmation(canAsk: terminal.isThere)
                }
                if let asking = command as? any SecretCommand { try asking.requireSecrets(canAsk: terminal.isThere) }
                return await run(command, globals)
            }
        } catch {
            return explain(error)
        }
    }

    private func run(_ command: any AdminCommand, _ globals: Invocation.Globals) async -> ExitCode {
        let settings: Settings
        do {
            let context = try context(for: command, globals)
            settings = try Settings(environment: environment, databaseURL: globals.databaseURL, context: context)
        } catch let error as AdminFault {
            return explain(error, noColour: globals.noColour)
        } catch let error as UsageError {
            return explain(error)
        } catch {
            return .internalFault
        }
        let services = makeServices(settings)
        let status = await run(command, globals, services)
        await services.close()
        return status
    }

    private func run(
        _ command: any AdminCommand,
        _ globals: Invocation.Globals,
        _ services: any AdminServices
    ) async -> ExitCode {
        do {
            let presentation = presentation(globals)
            if let following = command as? any FollowingCommand {
                let head = following.head(presentation)
                if !head.isEmpty { guard try show(head) else { return .success } }
                try await following.follow(services, as: presentation) { text throws(AdminFault) in try show(text) }
                return .success
            }
            let answer = try await answer(command, globals, services)
            let status = write(answer.rendered(presentation), mayPage: !globals.noPager)
            for note in answer.notes { console.talk(CleanText.cleanLines(note) + "\n") }
            return status == .success ? answer.status : status
        } catch {
            return explain(error, noColour: globals.noColour)
        }
    }

    /// A piece of what has no end. False: the reader has gone.
    private func show(_ text: String) throws(AdminFault) -> Bool {
        do throws(ConsoleError) {
            try console.output(text)
            return true
        } catch {
            switch error {
            case .readerGone: return false
            case .failed(let number):
                throw AdminFault(
                    .outputFailed,
                    "standard output cannot be written (errno \(number))",
                    remedy: "Give it another place to write to."
                )
            }
        }
    }

    private func write(_ text: String, mayPage: Bool) -> ExitCode {
        guard !text.isEmpty else { return .success }
        if mayPage, let pager = pager(for: text), console.page(text, by: pager) { return .success }
        do {
            try console.output(text)
            return .success
        } catch {
            switch error {
            case .readerGone: return .success
            case .failed(let number):
                console.talk(
                    "chiladmin: standard output cannot be written (errno \(number)); the command itself was done.\n"
                )
                return .outputFailed
            }
        }
    }

    private func explain(_ fault: AdminFault, noColour: Bool) -> ExitCode {
        talkError(fault.message, hint: fault.remedy, noColour: noColour)
        return fault.status
    }

    private func explain(_ error: UsageError) -> ExitCode {
        talkError(error.message, hint: error.hint, noColour: false)
        return .usage
    }

    func talkError(_ message: String, hint: String?, noColour: Bool) {
        let style = style(onTerminal: console.talkIsTerminal, noColour: noColour)
        console.talk(style.alarm("chiladmin:") + " " + CleanText.clean(message) + "\n")
        if let hint { console.talk(CleanText.cleanLines(hint) + "\n") }
    }

    func style(onTerminal: Bool, noColour: Bool) -> Style {
        Style(environment: environment, onTerminal: onTerminal, noColour: noColour)
    }
}
