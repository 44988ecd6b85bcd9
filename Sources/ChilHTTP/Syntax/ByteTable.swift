/// For each byte value, where it may stand in a message: one load in the inner loops of the machines.
///
/// The memory is made once and never freed or changed, hence `@unchecked Sendable`.
struct ByteTable: @unchecked Sendable {
    static let shared = ByteTable()

    /// RFC 9110 §5.6.2 `tchar`.
    static let token: UInt8 = 1
    /// RFC 9110 §5.5 `field-vchar`, SP and HTAB: no control character but HTAB, obs-text allowed.
    static let fieldValue: UInt8 = 2
    /// What may stand in a request target: RFC 3986 `pchar` with `%`, and `/ ? [ ]`. Never `#`, never above 0x7E.
    static let target: UInt8 = 4
    /// RFC 3986 §3.2.2 `reg-name` with `%`, but no comma: that is what two Host lines look like after a careless merge.
    static let hostName: UInt8 = 8
    static let hexDigit: UInt8 = 16
    /// RFC 9110 §8.8.3 `etagc`.
    static let entityTag: UInt8 = 32
    /// RFC 9110 §5.6.4 `qdtext`.
    static let quotedText: UInt8 = 64
    /// RFC 3986 `pchar` and `/`, without `%`.
    static let path: UInt8 = 128

    let masks: UnsafePointer<UInt8>

    private init() {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        table.initialize(repeating: 0, count: 256)
        func mark(_ bytes: some Sequence<UInt8>, _ mask: UInt8) {
            for byte in bytes { table[Int(byte)] |= mask }
        }
        let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8
        let unreserved = "-._~".utf8
        let subDelimiters = "!$&'()*+;=".utf8  // and the comma

        mark(alphanumeric, Self.token | Self.target | Self.hostName | Self.path)
        mark("!#$%&'*+-.^_`|~".utf8, Self.token)
        mark(unreserved, Self.target | Self.hostName | Self.path)
        mark(subDelimiters, Self.target | Self.hostName | Self.path)
        mark(",:@/".utf8, Self.target | Self.path)
        mark("?[]%".utf8, Self.target)
        mark("%".utf8, Self.hostName)
        mark("0123456789abcdefABCDEF".utf8, Self.hexDigit)
        mark(UInt8(0x20)...0x7E, Self.fieldValue)
        mark([0x09], Self.fieldValue)
        mark(UInt8(0x80)...0xFF, Self.fieldValue | Self.entityTag | Self.quotedText)
        mark([0x21], Self.entityTag)
        mark(UInt8(0x23)...0x7E, Self.entityTag)
        mark([0x09, 0x20, 0x21], Self.quotedText)
        mark(UInt8(0x23)...0x5B, Self.quotedText)
        mark(UInt8(0x5D)...0x7E, Self.quotedText)
        masks = UnsafePointer(table)
    }

    /// Whether every byte of `bytes` is of the class `mask`; true for no bytes.
    func allAre(_ mask: UInt8, _ bytes: UnsafeRawBufferPointer) -> Bool {
        for byte in bytes where masks[Int(byte)] & mask == 0 { return false }
        return true
    }
}
