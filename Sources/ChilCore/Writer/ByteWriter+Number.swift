extension ByteWriter {
    /// An integer in decimal.
    package mutating func append(decimal number: Int64) {
        append(atMost: ByteCursor.decimalBytesMax) { $0.append(decimal: number) }
    }

    /// An integer in decimal.
    @inlinable
    package mutating func append(decimal number: Int) {
        append(decimal: Int64(number))
    }
}
