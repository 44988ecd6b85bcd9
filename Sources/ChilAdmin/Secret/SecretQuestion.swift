/// A secret that a command takes from a file, from standard input, or from somebody who types it unseen.
struct SecretQuestion: Equatable, Sendable {
    /// The flag that names the file.
    let flag: String
    /// What is asked for at a terminal.
    let prompt: String
    /// Several lines, to one that begins with `-----END`.
    var isBlock = false
    /// Whether the flag is there, as `-`: standard input. Else nothing was said of it.
    let isGiven: Bool
    /// What to do where nobody can be asked.
    let hint: String

    /// - Parameter path: as it was given; `nil`: it was not. Of a file nothing is asked.
    init?(_ flag: String, _ path: String?, _ prompt: String, isBlock: Bool = false, hint: String) {
        guard path == nil || path == Self.standardInput else { return nil }
        (self.flag, self.prompt, self.isBlock, self.hint) = (flag, prompt, isBlock, hint)
        isGiven = path != nil
    }

    static let standardInput = "-"
}

/// A command that wants secrets. Those that were not given by a file are asked for at a terminal, before anything is locked.
protocol SecretCommand: AdminCommand {
    var questions: [SecretQuestion] { get }
}

extension SecretCommand {
    /// Before anything is opened: whether each secret is given, or somebody can be asked for it.
    func requireSecrets(canAsk: Bool) throws(UsageError) {
        guard !canAsk else { return }
        if let missing = questions.first(where: { !$0.isGiven }) {
            throw UsageError("\(missing.flag) is missing", hint: missing.hint)
        }
        if questions.count > 1 {
            throw UsageError(
                "\(questions.map(\.flag).joined(separator: " and ")) are both standard input",
                hint: "One of them may be -, the others are files."
            )
        }
    }
}

/// What commands that want secrets need.
protocol SecretServices {
    /// Takes what somebody typed; it goes before the flag's file.
    func hand(_ secret: [UInt8], for flag: String)
}

extension LiveServices: SecretServices {
    func hand(_ secret: [UInt8], for flag: String) {
        handedSecrets[flag] = secret
    }

    /// What was typed for the flag, or else what its file has; `nil`: there is no such file.
    func secret(of flag: String?, in path: String) throws(AdminFault) -> [UInt8]? {
        if let flag, let typed = handedSecrets.removeValue(forKey: flag) { return typed }
        return try secret(inFile: path)
    }
}

extension Program {
    /// Asks for each of them without showing what is typed.
    func ask(_ command: any SecretCommand, for services: any AdminServices) throws(AdminFault) {
        guard terminal.isThere else { return }
        for question in command.questions {
            let text = CleanText.cleanLines(question.prompt) + " (it is not shown): "
            guard let secret = terminal.secret(isBlock: question.isBlock, asking: { console.talk(text) }),
                !secret.isEmpty
            else {
                throw AdminFault(.cancelled, "cancelled", remedy: "Nothing was done.")
            }
            services.hand(secret, for: question.flag)
        }
    }
}
