/// The field lines of a head, and which of the known names are among them.
struct FieldSection: Equatable, Sendable {
    let lines: ContiguousArray<FieldLine>
    /// A bit for each known field that is there.
    let seen: UInt64

    func has(_ name: KnownField) -> Bool { seen & name.bit != 0 }

    func range(of name: KnownField) -> Range<Int>? {
        guard has(name) else { return nil }
        for line in lines where line.known == name { return line.value.range }
        return nil
    }

    func ranges(of name: KnownField) -> [Range<Int>] {
        guard has(name) else { return [] }
        return lines.compactMap { $0.known == name ? $0.value.range : nil }
    }

    /// The value of the first field called `name` (lower-case letters, digits, hyphens), compared without regard to case.
    func range(named name: StaticString, in bytes: [UInt8]) -> Range<Int>? {
        bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return nil }
            for line in lines where FoldedName.isToken(base + Int(line.name.start), line.name.count, name) {
                return line.value.range
            }
            return nil
        }
    }
}
