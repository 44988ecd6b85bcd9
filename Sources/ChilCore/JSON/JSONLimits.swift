/// How much JSON is read before it is refused.
package struct JSONLimits: Equatable, Sendable {
    /// Bytes of the whole text.
    package let bytesMax: Int
    /// Arrays and objects inside each other; a scalar has depth 0. The parser recurses, so this bounds its stack.
    package let depthMax: Int
    /// Members and elements of the whole text.
    package let valuesMax: Int

    package init(bytesMax: Int = 65_536, depthMax: Int = 32, valuesMax: Int = 4_096) {
        self.bytesMax = bytesMax
        self.depthMax = depthMax
        self.valuesMax = valuesMax
    }

    /// A request's body: 64 KiB (contract.md, Conventions).
    package static let body = JSONLimits()
}
