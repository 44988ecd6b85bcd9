extension Program {
    /// For whoever reads standard output: a person at a terminal, or a program.
    func presentation(_ globals: Invocation.Globals) -> Presentation {
        let isTerminal = console.outputIsTerminal
        return Presentation(
            format: globals.format,
            fields: globals.fields,
            hasHeadings: globals.hasHeadings,
            style: style(onTerminal: isTerminal, noColour: globals.noColour),
            width: isTerminal ? console.outputSize?.columns : nil,
            zone: isTerminal && globals.format.isForPeople ? zone : nil
        )
    }

    /// Only at a terminal, and only for what its screen has no room for.
    func pager(for text: String) -> Pager? {
        guard console.outputIsTerminal, let size = console.outputSize, environment["TERM"] != "dumb" else { return nil }
        var rows = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            rows += max(1, (DisplayWidth.of(String(line)) + size.columns - 1) / size.columns)
            if rows > size.rows { return Pager(environment: environment) }
        }
        return nil
    }
}
