import ChilCore

extension Program {
    /// What is printed is what is kept: the transaction ends before the answer is written.
    func answer(
        _ command: any AdminCommand,
        _ globals: Invocation.Globals,
        _ services: any AdminServices
    ) async throws(AdminFault) -> any Renderable {
        // Before the transaction: nothing is locked while somebody thinks.
        if let severe = command as? any SevereCommand { try await confirm(severe, globals, services) }
        if let asking = command as? any SecretCommand { try ask(asking, for: services) }
        let isHeld = globals.isDryRun || type(of: command).effect == .writes
        if isHeld { try await services.hold(isDryRun: globals.isDryRun) }
        let answer = try await command.answer(services)
        if globals.isDryRun {
            console.talk("Dry run: nothing was changed.\n")
        } else if isHeld {
            try await services.keep()
        }
        return answer
    }

    private func confirm(
        _ command: any SevereCommand,
        _ globals: Invocation.Globals,
        _ services: any AdminServices
    ) async throws(AdminFault) {
        guard let question = try await command.question(services) else { return }
        console.talk(CleanText.cleanLines(question.act.text))
        guard command.confirmed == nil, !globals.isDryRun else { return }
        console.talk(CleanText.cleanLines("Type \(question.word) to go on: "))
        guard let answer = terminal.answer(), answer.isExactly(question.word) else {
            throw AdminFault(.cancelled, "cancelled", remedy: "Nothing was done.")
        }
    }
}
