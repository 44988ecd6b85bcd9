/// Raised once when what runs on a loop shall come to an end. Not `Sendable`.
final class StopFlag {
    var isRaised = false
}
