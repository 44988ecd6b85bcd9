/// Makes keys of a terminal's bytes, wherever they are cut (ECMA-48, xterm's keys, UTF-8). What it does not know is swallowed whole.
package struct InputDecoder {
    private var held: [UInt8] = []
    private var pasted: [UInt8]?

    package init() {}

    /// Whether an escape stands open: it is the key of that name if nothing follows soon.
    package var waits: Bool { held.first == Self.escape && pasted == nil }

    package mutating func received(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
        held += bytes
        var inputs: [TerminalInput] = []
        while let input = next() { inputs += input }
        return inputs
    }

    /// Nothing has followed.
    package mutating func flush() -> [TerminalInput] {
        guard waits else { return [] }
        defer { held = [] }
        return held.count == 1 ? [.key(.escape)] : []
    }

    private static let escape: UInt8 = 0x1B
    private static let sequenceBytesMax = 4_096
    private static let pasteBytesMax = 4_096

    /// `nil`: more bytes are needed.
    private mutating func next() -> [TerminalInput]? {
        guard let first = held.first else { return nil }
        if pasted != nil { return nextOfPaste() }
        if first == Self.escape { return sequence() }
        if first < 0x80 {
            held.removeFirst()
            return Self.control(first).map { [.key($0)] } ?? []
        }
        return character().map { $0.map { [.key(.text($0))] } ?? [] }
    }

    private static func control(_ byte: UInt8) -> Key? {
        switch byte {
        case 0x0D, 0x0A: .enter
        case 0x09: .tab
        case 0x7F, 0x08: .backspace
        case 0: nil
        case 0x01...0x1A: .control(Character(Unicode.Scalar(byte + 0x60)))
        case 0x1C...0x1F: nil
        default: .text(Character(Unicode.Scalar(byte)))
        }
    }

    /// `nil`: it is not whole yet; `.some(nil)`: it was none.
    private mutating func character() -> Character?? {
        let length = held[0] >= 0xF0 ? 4 : held[0] >= 0xE0 ? 3 : 2
        guard held[0] >= 0xC2, held[0] < 0xF5 else {
            held.removeFirst()
            return .some(nil)
        }
        let rest = held.dropFirst().prefix(length - 1)
        if let wrong = rest.firstIndex(where: { $0 & 0xC0 != 0x80 }) {
            held.removeFirst(wrong)
            return .some(nil)
        }
        guard held.count >= length else { return nil }
        let text = String(validating: held.prefix(length), as: UTF8.self)
        held.removeFirst(length)
        guard let character = text?.first, let scalar = text?.unicodeScalars.first, !SafeText.isUnsafe(scalar) else {
            return .some(nil)
        }
        return character
    }

    private mutating func sequence() -> [TerminalInput]? {
        guard held.count > 1 else { return nil }
        switch held[1] {
        case UInt8(ascii: "["): return controlSequence()
        case UInt8(ascii: "O"):
            guard held.count > 2 else { return nil }
            let key = Self.arrow(held[2])
            held.removeFirst(3)
            return key.map { [.key($0)] } ?? []
        case UInt8(ascii: "_"), UInt8(ascii: "P"), UInt8(ascii: "]"): return string()
        case Self.escape:
            held.removeFirst()
            return [.key(.escape)]
        default:
            // With Alt, as nobody needs it here.
            held.removeFirst(2)
            return []
        }
    }

    private mutating func controlSequence() -> [TerminalInput]? {
        guard let end = held.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
            if held.count > Self.sequenceBytesMax { held = [] }
            return nil
        }
        let final = held[end]
        let body = String(decoding: held[2..<end], as: UTF8.self)
        held.removeFirst(end + 1)
        let numbers = body.drop { "?<=>".contains($0) }.split(separator: ";").map { Int($0) ?? 0 }
        switch final {
        case UInt8(ascii: "~"):
            if numbers.first == 200 {
                pasted = []
                return []
            }
            return Self.numbered(numbers.first ?? 0).map { [.key($0)] } ?? []
        case UInt8(ascii: "Z"): return [.key(.backTab)]
        case UInt8(ascii: "c") where body.hasPrefix("?"): return [.report(.attributes(Array(numbers.dropFirst())))]
        case UInt8(ascii: "t") where numbers.count == 3 && numbers[0] == 6:
            return [.report(.cellSize(width: numbers[2], height: numbers[1]))]
        default: return Self.arrow(final).map { [.key($0)] } ?? []
        }
    }

    private static func arrow(_ final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "M"): .enter
        default: nil
        }
    }

    private static func numbered(_ number: Int) -> Key? {
        switch number {
        case 1, 7: .home
        case 4, 8: .end
        case 3: .delete
        case 5: .pageUp
        case 6: .pageDown
        default: nil
        }
    }

    /// A string that a terminal answers in: up to its end, ESC \ or BEL.
    private mutating func string() -> [TerminalInput]? {
        var end: (first: Int, after: Int)?
        for index in 2..<max(2, held.count) {
            if held[index] == 0x07 { end = (index, index + 1) }
            if held[index] == UInt8(ascii: "\\"), held[index - 1] == Self.escape { end = (index - 1, index + 1) }
            if end != nil { break }
        }
        guard let end else {
            if held.count > Self.sequenceBytesMax { held = [] }
            return nil
        }
        let body = String(decoding: held[min(2, end.first)..<end.first], as: UTF8.self)
        held.removeFirst(end.after)
        guard body.hasPrefix("Gi=31;") else { return [] }
        return [.report(.kittyPictures(body.hasSuffix(";OK")))]
    }

    private mutating func nextOfPaste() -> [TerminalInput]? {
        let ending = Array("\u{1B}[201~".utf8)
        let whole = (pasted ?? []) + held
        guard
            let end = whole.indices.first(where: {
                whole[$0] == Self.escape && whole[$0...].starts(with: ending)
            })
        else {
            pasted = whole.count > Self.pasteBytesMax ? Array(whole.suffix(ending.count)) : whole
            held = []
            return nil
        }
        held = Array(whole[(end + ending.count)...])
        pasted = nil
        let text = String(decoding: whole[..<end], as: UTF8.self)
        return [.key(.paste(text))]
    }
}
