/// The flags that every command understands, wherever they stand.
enum GlobalFlags {
    static let output = CommandGuide.Flag.flag(
        "--output",
        "table|wide|json|ndjson|csv|name",
        "how the answer is written; -o is the same"
    )
    static let databaseURL = CommandGuide.Flag.flag(
        "--database-url",
        "URL",
        "the database, instead of CHIL_DATABASE_URL (which keeps a password out of the process list)"
    )
    static let field = CommandGuide.Flag.flag(
        "--field",
        "NAME",
        repeats: true,
        "only this member of the answer, or these: NAME,NAME; `chiladmin help output`"
    )
    static let noHeaders = CommandGuide.Flag.toggle("--no-headers", "no line of headings above a table or CSV")
    static let noPager = CommandGuide.Flag.toggle("--no-pager", "long answers are not shown a screen at a time")
    static let context = CommandGuide.Flag.flag(
        "--context",
        "NAME",
        "the database of this name, instead of CHIL_CONTEXT; `chiladmin help contexts`"
    )
    static let noColor = CommandGuide.Flag.toggle("--no-color", "no colours, as with NO_COLOR in the environment")
    static let dryRun = CommandGuide.Flag.toggle(
        "--dry-run",
        "show what a command that writes would answer, and change nothing; `chiladmin help safety`"
    )
    static let help = CommandGuide.Flag.toggle("--help", "this page; -h is the same")
    static let version = CommandGuide.Flag.toggle("--version", "the release of chiladmin")

    static let all = [
        output, field, noHeaders, context, databaseURL, noColor, noPager, dryRun, help, version,
    ]

    /// The letters that have a meaning of their own; there are no other short flags and no abbreviations.
    static let shortNames = ["-o": "--output", "-h": "--help", "-f": "--file"]
}
