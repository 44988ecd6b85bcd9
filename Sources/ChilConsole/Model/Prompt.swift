/// A line that is typed at the foot of the screen.
struct Prompt: Equatable, Sendable {
    enum Kind: Sendable { case command, filter }

    let kind: Kind
    var editor: LineEditor
    /// Tenants that begin as what is typed.
    var names: [String] = []

    init(_ kind: Kind, _ text: String = "") {
        self.kind = kind
        editor = LineEditor(text)
    }

    /// What Tab may make of the last word.
    var candidates: [String] {
        guard kind == .command else { return [] }
        let words = editor.text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        switch words.count {
        case 0, 1: return (Noun.allCases.map(\.rawValue) + ["quit"]).filter { $0.hasPrefix(words.first ?? "") }
        case 2: return names.filter { $0.hasPrefix(words[1]) }
        default: return []
        }
    }

    /// Makes the last word as long as all candidates agree.
    mutating func complete() {
        let candidates = candidates
        guard let first = candidates.first else { return }
        let common = candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        let head = editor.text.split(separator: " ", omittingEmptySubsequences: false).dropLast()
        let isNoun = head.isEmpty && candidates.count == 1
        let ending = isNoun && (Noun(rawValue: common)?.isOfTenant ?? false) ? " " : ""
        editor = LineEditor((head.map(String.init) + [common]).joined(separator: " ") + ending)
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}

extension ConsoleModel {
    mutating func receivedByPrompt(_ key: Key) -> [ConsoleRequest] {
        guard var typed = prompt else { return [] }
        switch key {
        case .escape: prompt = nil
        case .backspace where typed.editor.text.isEmpty: prompt = nil
        case .tab:
            typed.complete()
            prompt = typed
            return askNames()
        case .enter:
            prompt = nil
            switch typed.kind {
            case .filter:
                pane.search(typed.editor.text)
                return ask()
            case .command: return ordered(typed.editor.text)
            }
        default:
            guard typed.editor.received(key) else { return [] }
            prompt = typed
            return askNames()
        }
        return []
    }

    /// Of a tenant's list the tenant is to be named.
    private mutating func askNames() -> [ConsoleRequest] {
        let words = prompt?.editor.text.split(separator: " ", omittingEmptySubsequences: false) ?? []
        guard prompt?.kind == .command, words.count == 2 else { return [] }
        namesToken = fresh()
        return [.names(namesToken, prefix: String(words[1]))]
    }

    private mutating func ordered(_ line: String) -> [ConsoleRequest] {
        let words = line.split(separator: " ").map(String.init)
        guard let first = words.first else { return [] }
        if ["q", "quit"].contains(first) { return [.quit] }
        guard let noun = Noun(rawValue: first) else {
            say("There is no '\(first)': \(Noun.allCases.map(\.rawValue).joined(separator: ", ")).", .warning)
            return []
        }
        return jump(noun, to: words.dropFirst().first)
    }
}
