/// The parts of a file that stay, in their order. While nothing was left out, nothing is copied.
struct KeptBytes {
    private let source: UnsafeRawBufferPointer
    private var copy: [UInt8] = []
    /// Kept and not copied yet.
    private var run = 0..<0

    init(of source: UnsafeRawBufferPointer) {
        self.source = source
    }

    /// - Parameter part: of the file, behind all parts before it.
    mutating func keep(_ part: Range<Int>) {
        if part.lowerBound == run.upperBound {
            run = run.lowerBound..<part.upperBound
        } else {
            flush()
            run = part
        }
    }

    /// Bytes that stand here in place of what is left out.
    mutating func put(_ bytes: [UInt8]) {
        flush()
        run = run.upperBound..<run.upperBound
        copy += bytes
    }

    /// `nil`: the whole file stays as it is.
    mutating func finish() -> [UInt8]? {
        if copy.isEmpty, run == source.indices { return nil }
        flush()
        return copy
    }

    private mutating func flush() {
        if copy.isEmpty { copy.reserveCapacity(source.count + Self.putBytesUsually) }
        copy.append(contentsOf: UnsafeRawBufferPointer(rebasing: source[run]))
    }

    private static let putBytesUsually = 64
}
