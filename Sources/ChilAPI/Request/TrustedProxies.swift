import ChilCore
import ChilHTTP
import ChilLoop

/// The proxies whose word on where a request came from is taken (`CHIL_TRUSTED_PROXIES`).
struct TrustedProxies: Sendable, Equatable {
    /// A block of addresses (RFC 4632, RFC 4291 §2.3).
    struct Block: Sendable, Equatable {
        let address: NetworkAddress
        /// Of 128 bits.
        let length: Int

        /// `10.0.0.0/8`, `fd00::/8`, or one address; `nil` where bits stand behind the prefix, or for anything else.
        init?(_ text: some StringProtocol) {
            let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            guard let address = NetworkAddress(parts[0]) else { return nil }
            let isWrittenAsIPv4 = !parts[0].contains(":")
            let lengthMax = isWrittenAsIPv4 ? 32 : 128
            var length = lengthMax
            if parts.count == 2 {
                guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                    parts[1] == "0" || parts[1].first != "0",
                    let given = Int(parts[1]), given <= lengthMax
                else { return nil }
                length = given
            }
            if isWrittenAsIPv4 { length += 96 }
            // A block of IPv6 that holds IPv4's is not meant to trust all of IPv4.
            if address.isIPv4, length < 96 { return nil }
            self.address = address
            self.length = length
            let (high, low) = Self.masks(length)
            guard address.high & ~high == 0, address.low & ~low == 0 else { return nil }
        }

        func contains(_ other: NetworkAddress) -> Bool {
            let (high, low) = Self.masks(length)
            return address.isIPv4 == other.isIPv4 && other.high & high == address.high && other.low & low == address.low
        }

        private static func masks(_ length: Int) -> (UInt64, UInt64) {
            func mask(_ bits: Int) -> UInt64 { bits <= 0 ? 0 : bits >= 64 ? .max : .max << UInt64(64 - bits) }
            return (mask(length), mask(length - 64))
        }
    }

    static let blocksMax = 64
    private let blocks: [Block]

    /// Blocks parted by commas; `none`: nobody is trusted.
    init?(_ text: String) {
        if text == "none" {
            blocks = []
            return
        }
        var blocks: [Block] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let block = Block(part.drop { $0 == " " }), blocks.count < Self.blocksMax else { return nil }
            blocks.append(block)
        }
        self.blocks = blocks
    }

    func trusts(_ address: NetworkAddress) -> Bool { blocks.contains { $0.contains(address) } }

    /// Where the request came from: the peer, or what trusted proxies say, read from the right to the first hop that is not theirs.
    ///
    /// - Parameter forwarded: the lines of `X-Forwarded-For`, in order. Anybody may have written its left part; what is no address ends
    ///   the reading, and the peer stands for what is behind it.
    func client(of peer: NetworkAddress, forwarded: [ArraySlice<UInt8>]) -> NetworkAddress {
        guard !blocks.isEmpty, !forwarded.isEmpty, trusts(peer) else { return peer }
        var farthest = peer
        var hops = 0
        for line in forwarded.reversed() {
            for element in line.split(separator: 0x2c).reversed() {
                guard let text = String(validating: element, as: UTF8.self) else { return peer }
                let word = text.drop(while: Self.isSpace)
                guard !word.isEmpty else { continue }
                hops += 1
                guard hops <= Self.hopsMax, let hop = Self.address(word) else { return peer }
                guard trusts(hop) else { return hop }
                farthest = hop
            }
        }
        return farthest
    }

    /// With or without a port: some proxies write it.
    private static func address(_ word: Substring) -> NetworkAddress? {
        var word = word
        while let last = word.last, isSpace(last) { word.removeLast() }
        if word.first == "[" {
            guard let end = word.firstIndex(of: "]"),
                word[word.index(after: end)...].isEmpty || isPort(word[word.index(after: end)...])
            else { return nil }
            let inner = word[word.index(after: word.startIndex)..<end]
            return inner.contains(":") ? NetworkAddress(inner) : nil
        }
        if let colon = word.firstIndex(of: ":"), word.contains("."), !word[word.index(after: colon)...].contains(":") {
            return isPort(word[colon...]) ? NetworkAddress(word[..<colon]) : nil
        }
        return NetworkAddress(word)
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && UInt16(decimal: text.dropFirst()) != nil
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }

    private static let hopsMax = 32
}
