/// All commands, by noun and verb.
struct CommandTable: Sendable {
    static let standard = CommandTable([
        Migrate.entry, Distribute.entry, StatusShow.entry, Doctor.entry, ConsoleCommand.entry, Version.entry,
        CompletionCommand.entry,
        TenantCreate.entry, TenantList.entry, TenantShow.entry, TenantUpdate.entry, TenantSuspend.entry,
        TenantResume.entry, TenantConsent.entry, TenantDelete.entry, TenantApply.entry, TenantExport.entry,
        ClientAdd.entry, ClientList.entry, ClientSet.entry, ClientCheck.entry, ClientRemove.entry,
        KeyList.entry, KeyRotate.entry, KeyRevoke.entry, KeyReseal.entry,
        UserList.entry, UserShow.entry, UserBan.entry, UserUnban.entry, UserExport.entry, UserDelete.entry,
        UserHold.entry, UserRelease.entry,
        ConsentList.entry, ConsentRecord.entry, ConsentWithdraw.entry,
        ErasureOpen.entry, ErasureList.entry, ErasureDone.entry, ErasureRefuse.entry,
        RetentionList.entry, RetentionSetDays.entry, RetentionUnsetDays.entry,
        LedgerExport.entry, LedgerApply.entry,
        SessionList.entry, SessionRevoke.entry,
        QuotaSet.entry, QuotaUnset.entry, QuotaList.entry, QuotaRecount.entry,
        PlanCreate.entry, PlanList.entry, PlanShow.entry, PlanSet.entry, PlanUnset.entry, PlanAssign.entry,
        PlanRemove.entry,
        LimitSet.entry, LimitUnset.entry, LimitList.entry,
        PrinterAdd.entry, PrinterList.entry, PrinterShow.entry, PrinterTest.entry, PrinterAuthorize.entry,
        PrinterTrust.entry, PrinterDiscover.entry, PrinterEnable.entry, PrinterDisable.entry, PrinterDrain.entry,
        PrinterDefault.entry, PrinterShare.entry, PrinterUnshare.entry, PrinterRemove.entry,
        JobList.entry, JobShow.entry, JobCancel.entry, JobRetry.entry, JobResolve.entry, JobWatch.entry, JobStats.entry,
        ScannerAdd.entry, ScannerList.entry, ScannerShow.entry, ScannerRotate.entry, ScannerRemove.entry,
        ImageMove.entry,
        TransferExport.entry, TransferImport.entry,
        AuditList.entry, AuditTail.entry, AuditVerify.entry, AuditExport.entry, AuditAffectedUsers.entry,
        WebhookAdd.entry, WebhookList.entry, WebhookShow.entry, WebhookTest.entry, WebhookRotate.entry,
        WebhookDisable.entry, WebhookEnable.entry, WebhookRemove.entry, WebhookDeliveries.entry, WebhookReplay.entry,
        GeneratorAdd.entry, GeneratorList.entry, GeneratorShow.entry, GeneratorTest.entry, GeneratorUpdate.entry,
        GeneratorRemove.entry, GeneratorSettings.entry,
        MotionAdd.entry, MotionList.entry, MotionTest.entry, MotionUpdate.entry, MotionRemove.entry,
        ContextList.entry, ContextShow.entry, ContextUse.entry, ContextAdd.entry, ContextRemove.entry,
        DevIssuer.entry, DevToken.entry, DevScan.entry, DevMotion.entry, DevEpson.entry,
    ])

    /// Names of earlier releases that go on.
    static let aliases = [["tenant", "set"]: ["tenant", "update"]]

    /// One line per noun, for the first page of help, in its order.
    static let nouns: [(name: String, summary: String)] = [
        ("migrate", "make the roles and bring the schema up to date"),
        ("status", "how it stands, on one screen"),
        ("doctor", "whether all is well, and what to do where it is not"),
        ("console", "watch all of it live, on the whole screen"),
        ("version", "the release, and what the database has"),
        ("completion", "words completed in bash, zsh and fish"),
        ("image", "where the bytes of images lie: PostgreSQL or an S3-compatible store"),
        ("distribute", "spread the database over several machines by tenant"),
        ("tenant", "the apps' owners: create, list, suspend, delete"),
        ("client", "which identity tokens a tenant accepts"),
        ("key", "what signs a tenant's access tokens: list, rotate, revoke"),
        ("user", "a tenant's people: list, ban, export, delete"),
        ("consent", "what children's guardians agree to"),
        ("erasure", "what guardians ask to be erased, and by when"),
        ("retention", "for how long a tenant keeps what"),
        ("ledger", "deleted accounts, so that a restored backup forgets again"),
        ("session", "who is signed in: list, sign out"),
        ("quota", "how much a tenant may use"),
        ("limit", "how many requests may come in a while"),
        ("plan", "sets of limits that tenants share"),
        ("printer", "where a tenant's drawings are printed"),
        ("job", "prints: what they are at, cancel, retry, what became of them"),
        ("scanner", "where coloured pages come from: add, list, rotate, remove"),
        ("apple", "what only Apple has: moving users to another team"),
        ("audit", "who did what, and whom it concerns: read it, follow it, prove that it is whole"),
        ("webhook", "which of a tenant's servers are told of what: add, test, rotate, replay"),
        ("generator", "what draws a tenant's wishes: services, recipe, words that are not drawn"),
        ("motion", "what moves a tenant's drawings: add, test, update, remove"),
        ("context", "the databases by name: list, use, show, add, remove"),
        (
            "dev",
            "an issuer, tokens, a scanner, a motion service and Epson Connect for development; never for production"
        ),
    ]

    /// What the words name.
    enum Match {
        case command(Entry, rest: [String])
        /// A noun without a verb.
        case noun(String)
        /// No word at all.
        case nothing
    }

    /// A command by its guide, and how its words are read.
    struct Entry: Sendable {
        let guide: CommandGuide
        let effect: Effect
        let output: CommandOutput
        let read: @Sendable (inout ArgumentReader) throws(UsageError) -> any AdminCommand
    }

    let commands: [Entry]

    init(_ commands: [Entry]) {
        self.commands = commands
    }

    func commands(of noun: String) -> [Entry] {
        commands.filter { $0.guide.path.first == noun }
    }

    /// Finds the command, past flags that stand before it.
    func match(_ words: [String]) throws(UsageError) -> Match {
        var rest = words
        guard let noun = try Self.takeWord(&rest) else { return .nothing }
        let family = commands(of: noun)
        guard !family.isEmpty else {
            throw .unknown(
                "command",
                noun,
                known: Self.nouns.map(\.name),
                otherwise: "`chiladmin --help` shows the commands."
            )
        }
        if let alone = family.first(where: { $0.guide.path == [noun] }) { return .command(alone, rest: rest) }
        guard let verb = try Self.takeWord(&rest) else { return .noun(noun) }
        var path = Self.aliases[[noun, verb]] ?? [noun, verb]
        // A noun may have a noun of its own: `apple transfer export`.
        if family.contains(where: { $0.guide.path.count > 2 && $0.guide.path.starts(with: path) }) {
            guard let third = try Self.takeWord(&rest) else { return .noun(noun) }
            path.append(third)
        }
        guard let command = family.first(where: { $0.guide.path == path }) else {
            throw .unknown(
                "command",
                path.joined(separator: " "),
                known: family.map(\.guide.name),
                otherwise: "`chiladmin \(noun) --help` shows what can be done with it."
            )
        }
        return .command(command, rest: rest)
    }

    /// Removes the first word that is no global flag and no value of one.
    private static func takeWord(_ words: inout [String]) throws(UsageError) -> String? {
        var index = 0
        while index < words.count {
            let word = words[index]
            guard word.utf8.first == UInt8(ascii: "-") else { return words.remove(at: index) }
            guard word != "--" else { return nil }
            let (written, attached) = SortedWords.split(word)
            let name = GlobalFlags.shortNames[written] ?? written
            guard let flag = GlobalFlags.all.first(where: { $0.name == name }) else {
                throw .unknown(
                    "flag",
                    written,
                    known: GlobalFlags.all.map(\.name),
                    otherwise: "A command's own flags stand after its noun and verb."
                )
            }
            index += flag.placeholder != nil && attached == nil ? 2 : 1
        }
        return nil
    }
}
