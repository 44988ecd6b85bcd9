/// How a drawing moves. The raw value is the word of the contract and of the service.
package enum MotionType: String, Sendable, CaseIterable {
    case dance, hello, jump, zombie

    /// - Parameter word: in any case.
    package init?(word: String) {
        self.init(rawValue: word.lowercased())
    }
}
