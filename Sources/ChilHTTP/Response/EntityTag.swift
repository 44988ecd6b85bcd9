/// A validator of a representation (RFC 9110 §8.8.3).
package struct EntityTag: Hashable, Sendable {
    package let isWeak: Bool
    /// The field's value: `"…"` or `W/"…"`.
    package let fieldValue: [UInt8]

    /// A strong one of a row's number and its version: `"17-3"`.
    package init(_ number: Int64, version: Int64) {
        isWeak = false
        fieldValue = Array(atMost: 3 + 2 * FieldCursor.decimalBytesMax) { value in
            value.put("\"")
            value.put(decimal: number)
            value.put("-")
            value.put(decimal: version)
            value.put("\"")
        }
    }

    /// Nil if `opaque` has a byte that cannot stand between the quotes.
    package init?(_ opaque: some Sequence<UInt8>, isWeak: Bool = false) {
        let bytes = Array(opaque)
        guard bytes.withUnsafeBytes({ ByteTable.shared.allAre(ByteTable.entityTag, $0) }) else { return nil }
        self.isWeak = isWeak
        fieldValue = (isWeak ? [0x57, ASCII.slash] : []) + [ASCII.quote] + bytes + [ASCII.quote]
    }

    /// What stands between the quotes.
    package var opaque: ArraySlice<UInt8> { fieldValue[(isWeak ? 3 : 1)..<fieldValue.count - 1] }

    package enum Comparison: Sendable {
        /// If-Match, If-Range, Range: same bytes, neither weak.
        case strong
        /// If-None-Match: same bytes.
        case weak
    }

    package enum Match: Equatable, Sendable {
        case matched, unmatched
        /// No list of entity tags: answer 400, or act as if the field were not there.
        case malformed
    }

    /// Compares with the value of If-Match or If-None-Match (RFC 9110 §13.1): `*`, or a list of entity tags.
    ///
    /// `*` matches, so call this only for a representation that exists. A malformed list is malformed even behind a match.
    package func match(_ list: ArraySlice<UInt8>, _ comparison: Comparison) -> Match {
        list.withUnsafeBytes { bytes in
            if bytes.count == 1, bytes[0] == ASCII.asterisk { return .matched }
            var reader = TagReader(bytes: bytes)
            var isMatched = false
            var count = 0
            while true {
                switch reader.next() {
                case .end: return count == 0 ? .malformed : isMatched ? .matched : .unmatched
                case .malformed: return .malformed
                case .tag(let isWeak, let opaque):
                    count += 1
                    let mayMatch = comparison == .weak || !(isWeak || self.isWeak)
                    if mayMatch, opaque.elementsEqual(self.opaque) { isMatched = true }
                }
            }
        }
    }

    private struct TagReader {
        enum Item { case tag(isWeak: Bool, UnsafeRawBufferPointer), end, malformed }

        let bytes: UnsafeRawBufferPointer
        var at = 0

        mutating func next() -> Item {
            while at < bytes.count, ASCII.isBlank(bytes[at]) || bytes[at] == ASCII.comma { at += 1 }
            guard at < bytes.count else { return .end }
            let isWeak = at + 1 < bytes.count && bytes[at] == 0x57 && bytes[at + 1] == ASCII.slash
            if isWeak { at += 2 }
            guard at < bytes.count, bytes[at] == ASCII.quote else { return .malformed }
            at += 1
            let start = at
            while at < bytes.count, ByteTable.shared.masks[Int(bytes[at])] & ByteTable.entityTag != 0 { at += 1 }
            guard at < bytes.count, bytes[at] == ASCII.quote else { return .malformed }
            let opaque = UnsafeRawBufferPointer(rebasing: bytes[start..<at])
            at += 1
            while at < bytes.count, ASCII.isBlank(bytes[at]) { at += 1 }
            guard at == bytes.count || bytes[at] == ASCII.comma else { return .malformed }
            return .tag(isWeak: isWeak, opaque)
        }
    }
}

extension RequestHead {
    /// Whether If-None-Match names `tag`, so that GET and HEAD are answered with 304. A malformed list names nothing.
    package func ifNoneMatchNames(_ tag: EntityTag) -> Bool {
        has(.ifNoneMatch) && fieldLines(.ifNoneMatch).contains { tag.match($0, .weak) == .matched }
    }

    /// Whether If-Match lets a change of the representation with `tag` go on: true without the field. Else answer 412.
    package func ifMatchAllows(_ tag: EntityTag) -> Bool {
        !has(.ifMatch) || fieldLines(.ifMatch).contains { tag.match($0, .strong) == .matched }
    }

    /// Whether Range still applies: true without If-Range, else only if it is `tag`, strongly (RFC 9110 §13.1.5). Dates never match.
    package func ifRangeAllows(_ tag: EntityTag) -> Bool {
        guard let field = field(.ifRange) else { return true }
        return !tag.isWeak && field.elementsEqual(tag.fieldValue)
    }
}
