extension String {
    /// Whether two texts are the same bytes.
    ///
    /// `==` asks for canonical equivalence, by which U+212A (KELVIN SIGN) is the letter K: never right for a name that
    /// grants something.
    @inlinable
    package func isExactly(_ other: String) -> Bool {
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}

/// A text that is a key of a dictionary or set by its bytes, not by canonical equivalence.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.text.isExactly(right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
