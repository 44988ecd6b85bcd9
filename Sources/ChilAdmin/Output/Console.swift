/// Where a program's text goes. Data goes to `output`, talk to `talk`.
protocol Console: AnyObject {
    /// Whether standard output is a terminal.
    var outputIsTerminal: Bool { get }
    /// Whether standard error is a terminal.
    var talkIsTerminal: Bool { get }

    func output(_ text: String) throws(ConsoleError)

    /// Never fails: there is nobody left to tell.
    func talk(_ text: String)
}

enum ConsoleError: Error, Equatable {
    /// The reader has gone (EPIPE): a quiet end.
    case readerGone
    /// Anything else, with the number of `errno`.
    case failed(Int32)
}
