/// `chiladmin context list`
struct ContextList: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["context", "list"],
        summary: "the databases that have a name",
        examples: [.init("chiladmin context list", "which there are, and which is used")]
    )

    init(_ words: inout ArgumentReader) throws(UsageError) {}

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ContextRow> {
        let file = try services.contexts()
        let rows = file.contexts.map { ContextRow(context: $0, isCurrent: $0.name == file.current) }
        return Listing(rows, notes: rows.isEmpty ? ["No context: `chiladmin context add NAME --database URL`."] : [])
    }
}

/// `chiladmin context show`
struct ContextShow: AdminCommand {
    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["context", "show"],
        summary: "one of them; the current one where none is named",
        examples: [
            .init("chiladmin context show production", "where it is and what may be done there"),
            .init("chiladmin context show --field context", "the current one's name, for a prompt"),
        ],
        flags: [.flag("--name", "NAME", "this one; it may stand without the flag")]
    )

    let name: ContextName?

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let placed: ContextName? = try words.optionalNext()
        let flagged: ContextName? = try words.optional("--name")
        name = placed ?? flagged
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ContextRow> {
        let file = try services.contexts()
        guard let wanted = name ?? services.contextInUse() ?? file.current else {
            throw AdminFault(.notFound, "no context is used", remedy: "`chiladmin context use NAME` chooses one.")
        }
        guard let context = file[wanted] else { throw .noSuchContext(wanted, known: file.contexts) }
        return Listing(one: ContextRow(context: context, isCurrent: wanted == file.current))
    }
}

/// `chiladmin context use`
struct ContextUse: AdminCommand {
    static let effect = Effect.reachesOut("it writes the file of contexts alone")
    static let guide = CommandGuide(
        path: ["context", "use"],
        summary: "make one the current one",
        examples: [.init("chiladmin context use staging", "what is typed from now on goes there")],
        arguments: [.init(name: "NAME", summary: "the context")],
        remarks: ["--context, --database-url, CHIL_CONTEXT and CHIL_DATABASE_URL go before it."]
    )

    let name: ContextName

    init(_ words: inout ArgumentReader) throws(UsageError) {
        name = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ContextRow> {
        var file = try services.contexts()
        guard let context = file[name] else { throw .noSuchContext(name, known: file.contexts) }
        file.use(name)
        try services.keepContexts(file)
        return Listing(one: ContextRow(context: context, isCurrent: true))
    }
}

/// `chiladmin context add`
struct ContextAdd: AdminCommand {
    static let effect = Effect.reachesOut("it writes the file of contexts alone")
    static let guide = CommandGuide(
        path: ["context", "add"],
        summary: "give a database a name",
        examples: [
            .init(
                "chiladmin context add production --database postgresql://chil_operator@db.example/chil --read-only --color red",
                "to look there, and change nothing by mistake"
            ),
            .init("chiladmin context add staging --database service=chil-staging --use", "by libpq's service file"),
        ],
        arguments: [.init(name: "NAME", summary: ContextName.expectation)],
        flags: [
            .required("--database", "ADDRESS", "a postgresql:// URL, service=NAME or another address of libpq's"),
            .toggle("--read-only", "commands that write are refused there"),
            .flag(
                "--color",
                "COLOR",
                "its name is shown in it: \(TerminalColour.allCases.map(\.rawValue).joined(separator: ", "))"
            ),
            .flag("--key-file", "PATH", "the master keys there, instead of CHIL_KEY_FILE"),
            .flag("--public-url", "URL", "the service's address there, instead of CHIL_PUBLIC_URL"),
            .toggle("--use", "make it the current one"),
        ],
        remarks: [
            "A password is refused: ~/.pgpass, PGPASSFILE and service files hold it, and libpq finds it there."
        ]
    )

    let context: DatabaseContext
    let isUsed: Bool

    init(_ words: inout ArgumentReader) throws(UsageError) {
        let name: ContextName = try words.next()
        let database: String = try words.required("--database")
        if let complaint = DatabaseContext.complaint(about: database) {
            throw UsageError(
                "--database: \(complaint)",
                hint: "Keep the password in ~/.pgpass (mode 0600): host:port:database:user:password."
            )
        }
        guard !database.unicodeScalars.contains(where: CleanText.isUnsafe) else {
            throw UsageError("--database: an address is one line without control characters")
        }
        let keyFile: DisplayName? = try words.optional("--key-file")
        let publicURL: WebAddress? = try words.optional("--public-url")
        context = DatabaseContext(
            name: name,
            database: database,
            isReadOnly: words.isSet("--read-only"),
            colour: try words.optional("--color") ?? .none,
            keyFile: keyFile?.text,
            publicURL: publicURL?.text
        )
        isUsed = words.isSet("--use")
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ContextRow> {
        var file = try services.contexts()
        guard file[context.name] == nil else {
            throw AdminFault(
                .dataRefused,
                "there is a context '\(context.name.text)'",
                remedy: "Remove it first: `chiladmin context remove \(context.name.text)`."
            )
        }
        file.add(context)
        if isUsed { file.use(context.name) }
        try services.keepContexts(file)
        return Listing(one: ContextRow(context: context, isCurrent: file.current == context.name))
    }
}

/// `chiladmin context remove`
struct ContextRemove: AdminCommand {
    static let effect = Effect.reachesOut("it writes the file of contexts alone")
    static let guide = CommandGuide(
        path: ["context", "remove"],
        summary: "forget a name; the database stays as it is",
        examples: [.init("chiladmin context remove staging", "it is named no more")],
        arguments: [.init(name: "NAME", summary: "the context")]
    )

    let name: ContextName

    init(_ words: inout ArgumentReader) throws(UsageError) {
        name = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ContextRow> {
        var file = try services.contexts()
        guard let context = file[name] else { throw .noSuchContext(name, known: file.contexts) }
        file.remove(name)
        try services.keepContexts(file)
        return Listing(one: ContextRow(context: context, isCurrent: false), notes: ["The name is forgotten."])
    }
}
