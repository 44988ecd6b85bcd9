@testable import ChilAdmin

/// A console that keeps what was written, as a pipe or as a terminal.
final class RecordingConsole: Console {
    let outputIsTerminal: Bool
    let talkIsTerminal: Bool
    private(set) var out = ""
    private(set) var err = ""
    var outputFault: ConsoleError?

    init(isTerminal: Bool = false) {
        outputIsTerminal = isTerminal
        talkIsTerminal = isTerminal
    }

    func output(_ text: String) throws(ConsoleError) {
        if let outputFault { throw outputFault }
        out += text
    }

    func talk(_ text: String) { err += text }
}
