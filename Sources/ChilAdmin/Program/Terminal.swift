import Glibc

/// Somebody who can be asked.
protocol Terminal: AnyObject {
    /// Whether there is anybody: questions go to standard error, answers come from standard input.
    var isThere: Bool { get }

    /// One line without its end; `nil`: the end of the input.
    func answer() -> String?
}

final class StandardTerminal: Terminal {
    var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    func answer() -> String? { readLine(strippingNewline: true) }
}
