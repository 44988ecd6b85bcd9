/// The three C arrays of PQsendQueryPrepared, reused from call to call.
struct ArgumentArrays {
    private var texts: [UnsafePointer<CChar>?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// Lends pointers into `values`, valid inside `body` only.
    mutating func withPointers<Value>(
        _ values: BoundValues,
        _ places: Range<Int>,
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Value
    ) -> Value {
        values.bytes.withUnsafeBytes { bytes in
            texts.removeAll(keepingCapacity: true)
            lengths.removeAll(keepingCapacity: true)
            while formats.count < places.count { formats.append(1) }
            // An empty value must not look like NULL, which is a null pointer.
            let base = bytes.baseAddress ?? Self.nowhere
            for span in values.spans[places] {
                texts.append(
                    span.length < 0 ? nil : (base + span.offset).assumingMemoryBound(to: CChar.self)
                )
                lengths.append(max(span.length, 0))
            }
            return texts.withUnsafeBufferPointer { texts in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { formats in
                        body(texts.baseAddress, lengths.baseAddress, formats.baseAddress)
                    }
                }
            }
        }
    }

    nonisolated(unsafe) private static let nowhere = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)
    )
}
