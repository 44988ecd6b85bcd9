package import ChilCore

/// What happens to the console.
package enum ConsoleEvent: Sendable {
    case input(TerminalInput)
    case resized(ScreenSize)
    /// A second has gone.
    case tick(Timestamp)
    case page(Int, ConsolePage)
    case detail(Int, [DetailLine])
    /// `nil`: there is none.
    case picture(Int, Picture?)
    case names(Int, [String])
    /// How many were done, and what the first that was not said.
    case acted(Int, done: Int, fault: String?)
    /// What was asked cannot be answered.
    case failed(Int, String, isAway: Bool)
    /// The terminal is ours again, and nobody knows what it shows.
    case resumed
    case ended
}

/// What the console wants done.
package enum ConsoleRequest: Equatable, Sendable {
    case page(Int, PageQuery)
    case detail(Int, RowName, asJSON: Bool)
    /// No wider and higher than so many pixels.
    case picture(Int, RowName, width: Int, height: Int)
    /// Tenants whose slugs begin so.
    case names(Int, prefix: String)
    case act(Int, Act, [RowName])
    /// Paint all anew.
    case repaint
    case suspend
    case quit
}
