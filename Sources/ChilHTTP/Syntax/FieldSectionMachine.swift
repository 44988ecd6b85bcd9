/// Reads field lines up to the empty line that ends them (RFC 9112 §5), strictly: exact CRLF, no folding, no space before
/// the colon, names are tokens, values have no control character but HTAB.
///
/// Shared by request heads, response heads and trailers. It goes left to right and looks at each byte once, so its answer
/// does not depend on how the bytes were cut.
struct FieldSectionMachine: Sendable {
    enum Progress { case needMoreBytes, complete, reject(Rejection) }

    private enum State: UInt8 { case lineStart, name, valueStart, value, valueLineFeed, lastLineFeed }

    private(set) var lines: ContiguousArray<FieldLine> = []
    private let countMax: Int
    private var state = State.lineStart
    private var nameStart = 0
    private var nameEnd = 0
    private var valueStart = 0
    private var valueEnd = 0

    init(countMax: Int) {
        self.countMax = countMax
    }

    /// Begins anew and gives the lines away.
    mutating func takeLines() -> ContiguousArray<FieldLine> {
        state = .lineStart
        let taken = lines
        lines = []
        return taken
    }

    /// Reads on at `at`; `base` is the start of the head, so that `at` counts from there.
    mutating func advance(_ base: UnsafePointer<UInt8>, _ at: inout Int, _ end: Int) -> Progress {
        let masks = ByteTable.shared.masks
        var index = at
        defer { at = index }
        while index < end {
            switch state {
            case .lineStart:
                let byte = base[index]
                if byte == ASCII.carriageReturn {
                    index &+= 1
                    state = .lastLineFeed
                    continue
                }
                guard masks[Int(byte)] & ByteTable.token != 0 else { return .reject(lineStartFault(byte)) }
                guard lines.count < countMax else { return .reject(.tooManyFields) }
                if lines.capacity == 0 { lines.reserveCapacity(12) }
                nameStart = index
                state = .name
                fallthrough
            case .name:
                while index < end, masks[Int(base[index])] & ByteTable.token != 0 { index &+= 1 }
                guard index < end else { return .needMoreBytes }
                guard base[index] == ASCII.colon else { return .reject(nameFault(base[index])) }
                nameEnd = index
                index &+= 1
                state = .valueStart
                fallthrough
            case .valueStart:
                while index < end, ASCII.isBlank(base[index]) { index &+= 1 }
                guard index < end else { return .needMoreBytes }
                valueStart = index
                state = .value
                fallthrough
            case .value:
                index = Self.valueEnd(base, index, end, masks)
                guard index < end else { return .needMoreBytes }
                guard base[index] == ASCII.carriageReturn else { return .reject(valueFault(base[index])) }
                valueEnd = index
                index &+= 1
                state = .valueLineFeed
                guard index < end else { return .needMoreBytes }
                fallthrough
            case .valueLineFeed:
                guard base[index] == ASCII.lineFeed else { return .reject(.bareCarriageReturn) }
                index &+= 1
                append(base)
                state = .lineStart
            case .lastLineFeed:
                guard base[index] == ASCII.lineFeed else { return .reject(.bareCarriageReturn) }
                index &+= 1
                return .complete
            }
        }
        return .needMoreBytes
    }

    /// The first byte at or after `index` that a field value may not have. Eight bytes at a time: tokens are long.
    @inline(__always)
    private static func valueEnd(
        _ base: UnsafePointer<UInt8>,
        _ start: Int,
        _ end: Int,
        _ masks: UnsafePointer<UInt8>
    ) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        var index = start
        while index &+ 8 <= end {
            let word = UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let belowSpace = (word &- ones &* 0x20) & ~word
            let delete = word ^ (ones &* 0x7F)
            let isDelete = (delete &- ones) & ~delete
            // A HTAB or a rare false alarm of the borrow goes to the loop below, which knows exactly.
            if (belowSpace | isDelete) & highs != 0 { break }
            index &+= 8
        }
        while index < end, masks[Int(base[index])] & ByteTable.fieldValue != 0 { index &+= 1 }
        return index
    }

    private mutating func append(_ base: UnsafePointer<UInt8>) {
        var end = valueEnd
        while end > valueStart, ASCII.isBlank(base[end &- 1]) { end &-= 1 }
        lines.append(
            FieldLine(
                name: Extent(nameStart, nameEnd),
                value: Extent(valueStart, end),
                known: KnownField.recognise(base + nameStart, nameEnd &- nameStart)
            )
        )
    }

    private func lineStartFault(_ byte: UInt8) -> Rejection {
        if byte == ASCII.lineFeed { return .bareLineFeed }
        guard ASCII.isBlank(byte) else { return .invalidFieldName }
        return lines.isEmpty ? .blankBeforeFirstField : .foldedLine
    }

    private func nameFault(_ byte: UInt8) -> Rejection {
        ASCII.isBlank(byte) ? .blankBeforeColon : .invalidFieldName
    }

    private func valueFault(_ byte: UInt8) -> Rejection {
        byte == ASCII.lineFeed ? .bareLineFeed : .invalidFieldValue
    }
}
