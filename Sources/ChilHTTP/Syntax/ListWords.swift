/// The members of a comma-separated list (RFC 9110 §5.6.1) without white space around them; empty members are left out.
///
/// For lists of tokens: a comma inside a quoted string would split it.
struct ListWords {
    private let bytes: UnsafeRawBufferPointer
    private var at = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    mutating func next() -> UnsafeRawBufferPointer? {
        while at < bytes.count {
            var start = at
            while at < bytes.count, bytes[at] != ASCII.comma { at += 1 }
            var end = at
            at += 1
            while start < end, ASCII.isBlank(bytes[start]) { start += 1 }
            while end > start, ASCII.isBlank(bytes[end - 1]) { end -= 1 }
            if start < end { return UnsafeRawBufferPointer(rebasing: bytes[start..<end]) }
        }
        return nil
    }
}
