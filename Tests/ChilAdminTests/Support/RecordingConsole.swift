@testable import ChilAdmin

/// A console that keeps what was written, as a pipe or as a terminal.
final class RecordingConsole: Console {
    let outputIsTerminal: Bool
    let talkIsTerminal: Bool
    private(set) var out = ""
    private(set) var err = ""
    var outputFault: ConsoleError?
    var outputSize: TerminalSize?
    /// What was handed to a pager, and to which.
    private(set) var paged: [(text: String, pager: Pager)] = []
    var hasPager = true

    init(isTerminal: Bool = false) {
        outputIsTerminal = isTerminal
        talkIsTerminal = isTerminal
    }

    func output(_ text: String) throws(ConsoleError) {
        if let outputFault { throw outputFault }
        out += text
    }

    func page(_ text: String, by pager: Pager) -> Bool {
        guard hasPager else { return false }
        paged.append((text, pager))
        return true
    }

    func talk(_ text: String) { err += text }
}
