/// The long answers of `chiladmin help`.
enum OutputHelp {
    static let output = [
        "Data goes to standard output, everything else to standard error.",
        "-o table   for people: aligned by display width (Hangul and emoji take two cells); - is a value that is missing,",
        "           \"\" an empty text. Lists leave out what is rarely wanted; `show` has all.",
        "-o wide    the same with every column.",
        "-o json    a list is an array, one thing an object. Members are never renamed; ids are numbers, times RFC 3339 in UTC.",
        "-o ndjson  one object a line.",
        "-o csv     RFC 4180 with a line of member names; times in UTC, a list is a JSON array. No value is changed to please a",
        "           spreadsheet: one that begins with = + - @ would be a formula there, so import the columns as text.",
        "-o name    what one types again to name each row, a line each.",
        "--field NAME[,NAME] takes these members, in this order, once or several times. One thing with one member is that value alone.",
        "--no-headers leaves out the line of headings.",
        "At a terminal tables are cut to its width: the widest texts are shortened by …, never a number, a time or what is typed again;",
        "a pipe gets all. There times are in the local zone (TZ) with its distance from UTC, in a pipe in UTC.",
        "Control characters in names are shown as pictures (␊, ␛) in tables and CSV, and escaped in JSON.",
        "What is longer than the screen goes through CHIL_PAGER, PAGER or less, started without a shell; --no-pager leaves it out.",
        "Colours only at a terminal; not with --no-color, NO_COLOR, CLICOLOR=0 or TERM=dumb. CLICOLOR_FORCE=1 colours a pipe too.",
    ]

    static let contexts = [
        "A context is a database by name. Which one a command is for is said by the first of these that is there:",
        "  1. --context NAME or --database-url URL",
        "  2. CHIL_CONTEXT or CHIL_DATABASE_URL (both at once are refused)",
        "  3. the current context: `chiladmin context use NAME`",
        "  4. libpq's own PGHOST, PGHOSTADDR, PGSERVICE or PGDATABASE, with all its other variables",
        "Where a context is chosen its key file and public address go before CHIL_KEY_FILE and CHIL_PUBLIC_URL.",
        "In a read-only context commands that write are refused before anything is connected (77), and the session itself is",
        "read-only: default_transaction_read_only. A pooler must let `options` pass (PgBouncer: ignore_startup_parameters).",
        "Before anything is changed the context's name is shown on standard error, in its colour.",
        "Passwords do not belong there and are refused: libpq finds them in ~/.pgpass, PGPASSFILE or a service file.",
    ]

    static let contextFile = [
        "current = production",
        "",
        "[production]",
        "database = postgresql://chil_operator@db.example/chil?sslmode=verify-full",
        "read-only = yes",
        "color = red",
        "key-file = /etc/chilapi/keys",
        "public-url = https://api.example",
    ]

    static let files: [(name: String, meaning: String)] = [
        (
            "~/.config/chiladmin/config",
            "the contexts, mode 0600; below XDG_CONFIG_HOME if that is set; chiladmin help contexts"
        ),
        ("~/.pgpass, PGPASSFILE", "passwords by host, port, database and role, mode 0600; libpq reads it"),
        ("~/.pg_service.conf, PGSERVICEFILE", "libpq's services; an address service=NAME names one"),
        ("CHIL_KEY_FILE", "the master keys that chilapi has, mode 0600"),
    ]

    static let scripting = [
        "Ask for -o json, ndjson, csv or name, or for --field: tables are for people and may change.",
        "  chiladmin tenant list -o name | while read -r slug; do chiladmin quota list \"$slug\" -o ndjson; done",
        "  chiladmin tenant show chillin --field createdAt",
        "Branch on the exit status (chiladmin help exit-codes), not on texts. 0 is done; 75 is worth trying again.",
        "Nothing asks for a key or an answer where there is no terminal: what would ask fails with 64 and names the flag.",
        "A word that begins with - stands after --; a value that begins with -- is written --flag=--value.",
        "Nothing is abbreviated: a new command never changes what an old line means.",
    ]
}
