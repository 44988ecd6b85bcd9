/// A page of help being put together: a title and headed blocks.
struct Page {
    private(set) var text: String

    init(_ title: String) {
        text = title + "\n"
    }

    mutating func examples(_ examples: [CommandGuide.Example]) {
        guard !examples.isEmpty else { return }
        text += "\nEXAMPLES\n"
        for example in examples { text += "  # \(example.does)\n  \(example.line)\n" }
    }

    mutating func lines(_ heading: String, _ lines: [String]) {
        guard !lines.isEmpty else { return }
        text += "\n\(heading)\n"
        for line in lines { text += "  \(line)\n" }
    }

    /// Two columns; a name that is very long has a line of its own.
    mutating func pairs(_ heading: String, _ pairs: [(name: String, meaning: String)]) {
        guard !pairs.isEmpty else { return }
        let nameWidthMax = 28
        let width = pairs.map(\.name.utf8.count).filter { $0 <= nameWidthMax }.max() ?? nameWidthMax
        text += "\n\(heading)\n"
        for (name, meaning) in pairs {
            let padding = width - name.utf8.count
            let gap =
                padding >= 0 ? String(repeating: " ", count: padding) : "\n  " + String(repeating: " ", count: width)
            text += "  \(name)\(gap)  \(meaning)\n"
        }
    }
}
