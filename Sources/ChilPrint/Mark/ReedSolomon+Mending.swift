extension ReedSolomon {
    /// α⁰, α¹ … of the field, each once.
    private static let powers: [UInt8] = (1..<255).reduce(into: [1]) { powers, _ in
        powers.append(product(powers[powers.count - 1], 2))
    }
    private static let logarithms: [Int] = powers.enumerated().reduce(into: [Int](repeating: 0, count: 256)) {
        $0[Int($1.element)] = $1.offset
    }

    /// What was written, of what was read: up to half as many wrong codewords as there are check codewords are put right (Berlekamp–Massey,
    /// Chien, Forney). `nil`: more are wrong. Work: at most `codewords.count` × `checkCount` products, a few times over.
    static func mended(_ codewords: [UInt8], checkCount: Int) -> [UInt8]? {
        guard codewords.count <= 255, checkCount > 0, checkCount < codewords.count else { return nil }
        let syndromes = syndromes(of: codewords, checkCount)
        if syndromes.allSatisfy({ $0 == 0 }) { return codewords }
        let locator = locator(syndromes)
        guard locator.count > 1, locator.count - 1 <= checkCount / 2 else { return nil }
        // The evaluator: what is left of syndromes times locator.
        let evaluator = (0..<checkCount).map { degree in
            (0...min(degree, locator.count - 1)).reduce(UInt8(0)) {
                $0 ^ product(locator[$1], syndromes[degree - $1])
            }
        }
        let slopes = locator.enumerated().map { $0.offset % 2 == 1 ? $0.element : 0 }
        var mended = codewords
        var wrongCount = 0
        for index in codewords.indices {
            let degree = codewords.count - 1 - index
            let inverse = powers[(255 - degree) % 255]
            guard value(of: locator, at: inverse) == 0 else { continue }
            // The slope has no constant term: one power less is its value times the inverse's own inverse.
            let slope = product(value(of: slopes, at: inverse), powers[degree % 255])
            guard slope != 0 else { return nil }
            mended[index] ^= product(powers[degree % 255], quotient(value(of: evaluator, at: inverse), slope))
            wrongCount += 1
        }
        guard wrongCount == locator.count - 1, Self.syndromes(of: mended, checkCount).allSatisfy({ $0 == 0 }) else {
            return nil
        }
        return mended
    }

    private static func syndromes(of codewords: [UInt8], _ count: Int) -> [UInt8] {
        (0..<count).map { power in codewords.reduce(0) { product($0, powers[power]) ^ $1 } }
    }

    /// The shortest polynomial that the syndromes follow: its roots say where codewords are wrong. From the constant term on.
    private static func locator(_ syndromes: [UInt8]) -> [UInt8] {
        let room = syndromes.count + 1
        var locator = [1] + [UInt8](repeating: 0, count: room - 1)
        var (previous, length, shift, divisor) = (locator, 0, 1, UInt8(1))
        for index in syndromes.indices {
            let discrepancy = (0...length).reduce(UInt8(0)) { $0 ^ product(locator[$1], syndromes[index - $1]) }
            guard discrepancy != 0 else {
                shift += 1
                continue
            }
            let (before, factor) = (locator, quotient(discrepancy, divisor))
            for place in 0..<max(0, room - shift) { locator[place + shift] ^= product(factor, previous[place]) }
            guard 2 * length <= index else {
                shift += 1
                continue
            }
            (length, previous, divisor, shift) = (index + 1 - length, before, discrepancy, 1)
        }
        return Array(locator[...length])
    }

    /// - Parameter polynomial: from the constant term on.
    private static func value(of polynomial: [UInt8], at place: UInt8) -> UInt8 {
        polynomial.reversed().reduce(0) { product($0, place) ^ $1 }
    }

    private static func quotient(_ left: UInt8, _ right: UInt8) -> UInt8 {
        left == 0 ? 0 : powers[(logarithms[Int(left)] + 255 - logarithms[Int(right)]) % 255]
    }
}
