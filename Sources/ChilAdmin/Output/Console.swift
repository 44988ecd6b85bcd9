/// Where a program's text goes. Data goes to `output`, talk to `talk`.
protocol Console: AnyObject {
    /// Whether standard output is a terminal.
    var outputIsTerminal: Bool { get }
    /// Whether standard error is a terminal.
    var talkIsTerminal: Bool { get }
    /// Of the terminal that standard output is.
    var outputSize: TerminalSize? { get }

    func output(_ text: String) throws(ConsoleError)

    /// Hands a long text to a program that shows it a screen at a time, and waits until that ends. False: there is no such program.
    func page(_ text: String, by pager: Pager) -> Bool

    /// Never fails: there is nobody left to tell.
    func talk(_ text: String)
}

struct TerminalSize: Equatable, Sendable {
    let columns: Int
    let rows: Int
}

enum ConsoleError: Error, Equatable {
    /// The reader has gone (EPIPE): a quiet end.
    case readerGone
    /// Anything else, with the number of `errno`.
    case failed(Int32)
}
