import ChilCore

/// A command that nothing takes back: it wants a word typed at the terminal, or behind `--confirm`.
protocol SevereCommand: AdminCommand {
    /// The word: the tenant's slug, where there is one tenant. `nil`: with these flags nothing is severe.
    var word: String? { get }
    /// What was given behind `--confirm`.
    var confirmed: String? { get }

    /// What is done, and what dies.
    func weigh(_ services: any AdminServices) async throws(AdminFault) -> SevereAct
    /// Before anything is opened: whether there is a yes, or somebody to ask.
    func requireConfirmation(canAsk: Bool) throws(UsageError)
    /// What is asked; `nil`: nothing dies.
    func question(_ services: any AdminServices) async throws(AdminFault) -> SevereQuestion?
}

/// What is shown before, and the word that agrees to it.
struct SevereQuestion: Sendable {
    let word: String
    let act: SevereAct
}

extension SevereCommand {
    func question(_ services: any AdminServices) async throws(AdminFault) -> SevereQuestion? {
        guard let word else { return nil }
        return SevereQuestion(word: word, act: try await weigh(services))
    }

    func requireConfirmation(canAsk: Bool) throws(UsageError) {
        guard let word else { return }
        guard let confirmed else {
            guard !canAsk else { return }
            throw UsageError(
                "--confirm is missing, and there is no terminal to ask at",
                hint: "Say --confirm=\(word) if you mean it; --dry-run shows what would be done."
            )
        }
        guard confirmed.isExactly(word) else {
            throw UsageError("--confirm: '\(confirmed)' is not '\(word)'", hint: "Nothing was done.")
        }
    }
}

extension CommandGuide.Flag {
    /// - Parameter placeholder: what the word is: `SLUG`.
    static func confirm(_ placeholder: String) -> Self {
        .flag("--confirm", placeholder, "that word again, where nobody can be asked: nothing brings it back")
    }
}
