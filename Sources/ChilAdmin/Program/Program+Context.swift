extension Program {
    /// Which context the command is in, if any; that one may say that nothing is changed there.
    func context(for command: any AdminCommand, _ globals: Invocation.Globals) throws -> DatabaseContext? {
        let guide = type(of: command).guide
        guard guide.needsDatabase else { return nil }
        guard let context = try ContextChoice(environment, globals).context() else { return nil }
        let effect = type(of: command).effect
        if context.isReadOnly, effect != .reads, !guide.keepsDatabase {
            throw AdminFault(
                .notPermitted,
                "context '\(context.name.text)' is read-only: '\(guide.name)' was not begun",
                remedy: "Take another context by --context, or make it writable in the file of contexts."
            )
        }
        if effect != .reads {
            console.talk(context.banner(style(onTerminal: console.talkIsTerminal, noColour: globals.noColour)))
        }
        return context
    }
}

extension CommandGuide {
    /// Whether it asks a database at all.
    var needsDatabase: Bool { !["context", "completion", "dev"].contains(path.first ?? "") }

    /// What leaves the database as it is where nothing may be changed: it writes down what it read, or offers no acts there.
    var keepsDatabase: Bool { ["audit export", "ledger export", "console"].contains(name) }
}

/// Which context a command line is in: flags go before the environment, and that before the current context.
struct ContextChoice {
    private let environment: Environment
    private let flag: ContextName?
    private let hasAddress: Bool

    init(_ environment: Environment, _ globals: Invocation.Globals) {
        self.init(environment, flag: globals.context, databaseURL: globals.databaseURL)
    }

    init(_ environment: Environment, flag: ContextName?, databaseURL: String?) {
        self.environment = environment
        self.flag = flag
        hasAddress = databaseURL != nil
    }

    func context() throws(AdminFault) -> DatabaseContext? {
        if let flag { return try named(flag) }
        if hasAddress { return nil }
        if let text = environment["CHIL_CONTEXT"] {
            guard environment["CHIL_DATABASE_URL"] == nil else {
                throw AdminFault(
                    .configuration,
                    "CHIL_CONTEXT and CHIL_DATABASE_URL are both set",
                    remedy: "Each names a database: unset one, or say --context or --database-url."
                )
            }
            guard let name = ContextName(argument: text) else {
                throw AdminFault(
                    .configuration,
                    "CHIL_CONTEXT is not \(ContextName.expectation)",
                    remedy: "`chiladmin context list` shows them."
                )
            }
            return try named(name)
        }
        if environment["CHIL_DATABASE_URL"] != nil { return nil }
        guard let path = ContextFile.path(environment) else { return nil }
        let file = try ContextFile(path: path)
        guard let current = file.current else { return nil }
        guard let context = file[current] else { throw .noSuchContext(current, known: file.contexts) }
        return context
    }

    private func named(_ name: ContextName) throws(AdminFault) -> DatabaseContext {
        guard let path = ContextFile.path(environment) else {
            throw .missingSetting("HOME", because: "Set HOME or XDG_CONFIG_HOME: the contexts are kept below it.")
        }
        let file = try ContextFile(path: path)
        guard let context = file[name] else { throw .noSuchContext(name, known: file.contexts) }
        return context
    }
}
