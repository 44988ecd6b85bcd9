extension String {
    /// Whether two texts are the same bytes.
    ///
    /// `==` asks for canonical equivalence, by which U+212A (KELVIN SIGN) is the letter K: never right for a name that
    /// grants something.
    package func isExactly(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let verdict = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { Self.areEqual(mine, $0) }
        }
        // Only a text from outside Swift has no bytes to lend.
        return (verdict ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    /// Of one length: eight bytes at a time, the last eight overlapping those before them.
    private static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let left = UnsafeRawBufferPointer(left)
        let right = UnsafeRawBufferPointer(right)
        guard left.count >= 8 else { return left.elementsEqual(right) }
        func isSame(at offset: Int) -> Bool {
            left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        let last = left.count - 8
        var offset = 0
        while offset < last {
            guard isSame(at: offset) else { return false }
            offset += 8
        }
        return isSame(at: last)
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
