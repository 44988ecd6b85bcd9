@testable import ChilAdmin

/// Somebody who has one answer; or nobody.
final class FakeTerminal: Terminal {
    let isThere: Bool
    private let said: String?

    /// - Parameter said: `nil`: there is no terminal.
    init(_ said: String?) {
        isThere = said != nil
        self.said = said
    }

    /// A terminal at which the input ends.
    init(endsAtOnce: Void) {
        isThere = true
        said = nil
    }

    func answer() -> String? { said }

    func secret(isBlock: Bool, asking: () -> Void) -> [UInt8]? {
        asking()
        return said.map { Array($0.utf8) }
    }
}
