extension FixedWidthInteger {
    /// A number written in ASCII digits alone; `nil` for a sign, a space, other digits, or more than fits. `Int("+1")` is 1.
    package init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text, radix: 10)
    }
}
