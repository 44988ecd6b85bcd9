import Glibc

/// Somebody who can be asked.
protocol Terminal: AnyObject {
    /// Whether there is anybody: questions go to standard error, answers come from standard input.
    var isThere: Bool { get }

    /// One line without its end; `nil`: the end of the input.
    func answer() -> String?

    /// What is typed and not shown: a line, or a block of lines; `nil`: nobody answered.
    ///
    /// - Parameter asking: shows the question.
    func secret(isBlock: Bool, asking: () -> Void) -> [UInt8]?
}

final class StandardTerminal: Terminal {
    var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

    func answer() -> String? { readLine(strippingNewline: true) }

    func secret(isBlock: Bool, asking: () -> Void) -> [UInt8]? { HiddenInput.read(isBlock: isBlock, asking: asking) }
}
