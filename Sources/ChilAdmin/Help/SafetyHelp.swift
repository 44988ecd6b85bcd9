/// `chiladmin help safety`
enum SafetyHelp {
    static let lines = [
        "--dry-run does what a command that writes would do, in a transaction that is rolled back: the same answer, the same",
        "refusals, and no change. Secrets, ids and numbers of it are never used. Commands that change nothing refuse it, and so do",
        "those that reach what no rollback takes back: a printer, a provider, a file, another store.",
        "A command that writes to the database alone is one transaction: interrupted (Ctrl-C, SIGTERM, a lost connection) before its",
        "end, it has not happened. A few are steps that are each whole, and go on when they are run again: their help says so.",
        "What nothing brings back is shown with what dies, and wants a word typed: the tenant's slug, or what the question names.",
        "Where there is no terminal the word is given by --confirm=SLUG; without it nothing is done (64). Another word: 2.",
        "Secrets are read from files, never from a flag: ps and the shell's history show flags. Secrets that are made are shown once.",
        "Who did what is in each tenant's audit (chiladmin audit list): CHIL_OPERATOR names you. Plans are of no tenant.",
    ]
}
