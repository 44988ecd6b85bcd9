/// Checks the grammar of a chunk's extensions (RFC 9112 §7.1.1), byte by byte; nothing of them is kept.
///
/// `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )` with CR after it. White space is allowed exactly where the
/// grammar has it, so `5 CRLF` without an extension is refused.
struct ChunkExtensionMachine: Sendable {
    enum Answer { case more, carriageReturn, invalid }

    private enum State: UInt8 {
        case beforeSemicolon, beforeName, name, afterName, beforeValue, value, quoted, quotedPair, afterValue
    }

    private var state = State.beforeName

    init() {}

    /// `firstByte` stood right behind the size: `;` or white space.
    init(firstByte: UInt8) {
        state = firstByte == ASCII.semicolon ? .beforeName : .beforeSemicolon
    }

    mutating func receive(_ byte: UInt8) -> Answer {
        let mask = ByteTable.shared.masks[Int(byte)]
        let isToken = mask & ByteTable.token != 0
        let isBlank = ASCII.isBlank(byte)
        switch state {
        case .beforeSemicolon:
            if isBlank { return .more }
            return go(byte == ASCII.semicolon ? .beforeName : nil)
        case .beforeName:
            if isBlank { return .more }
            return go(isToken ? .name : nil)
        case .name:
            if isToken { return .more }
            if isBlank { return go(.afterName) }
            return endOfName(byte)
        case .afterName:
            if isBlank { return .more }
            // White space at the end of the line belongs to nothing.
            return byte == ASCII.carriageReturn ? .invalid : endOfName(byte)
        case .beforeValue:
            if isBlank { return .more }
            if byte == ASCII.quote { return go(.quoted) }
            return go(isToken ? .value : nil)
        case .value:
            if isToken { return .more }
            return endOfValue(byte)
        case .quoted:
            if byte == ASCII.quote { return go(.afterValue) }
            if byte == ASCII.backslash { return go(.quotedPair) }
            return mask & ByteTable.quotedText != 0 ? .more : .invalid
        case .quotedPair:
            return go(mask & ByteTable.fieldValue != 0 ? .quoted : nil)
        case .afterValue:
            return endOfValue(byte)
        }
    }

    private mutating func endOfName(_ byte: UInt8) -> Answer {
        switch byte {
        case ASCII.equals: return go(.beforeValue)
        case ASCII.semicolon: return go(.beforeName)
        case ASCII.carriageReturn: return .carriageReturn
        default: return .invalid
        }
    }

    private mutating func endOfValue(_ byte: UInt8) -> Answer {
        switch byte {
        case ASCII.semicolon: return go(.beforeName)
        case ASCII.space, ASCII.tab: return go(.beforeSemicolon)
        case ASCII.carriageReturn: return .carriageReturn
        default: return .invalid
        }
    }

    private mutating func go(_ next: State?) -> Answer {
        guard let next else { return .invalid }
        state = next
        return .more
    }
}
