/// Numbers requests of one loop: 12 hexadecimal digits drawn at the start, 8 counted. Always 20 characters.
struct RequestIDs {
    private let prefix: String
    private var count: UInt32 = 0

    init() {
        let drawn = (0..<6).map { _ in UInt8.random(in: 0...255) }
        prefix = drawn.map { byte in
            let hex = String(byte, radix: 16)
            return hex.utf8.count == 1 ? "0" + hex : hex
        }.joined()
    }

    mutating func next() -> RequestID {
        count &+= 1
        return RequestID(prefix: prefix, count: count)
    }
}

/// A request's number, written out only when somebody reads it.
struct RequestID: Sendable {
    fileprivate let prefix: String
    fileprivate let count: UInt32

    fileprivate init(prefix: String, count: UInt32) {
        self.prefix = prefix
        self.count = count
    }

    var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The 20 characters, without a String in between.
    func append(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: prefix.utf8)
        var shift: UInt32 = 28
        while true {
            let digit = UInt8(truncatingIfNeeded: (count >> shift) & 0xf)
            bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
            if shift == 0 { return }
            shift -= 4
        }
    }
}
