/// The one-byte tags of IPP (RFC 8010 §3.5).
enum IPPTag {
    static let endOfAttributes: UInt8 = 0x03
    static let firstValue: UInt8 = 0x10

    static let unsupported: UInt8 = 0x10
    static let unknown: UInt8 = 0x12
    static let noValue: UInt8 = 0x13
    static let integer: UInt8 = 0x21
    static let boolean: UInt8 = 0x22
    static let enumeration: UInt8 = 0x23
    static let octets: UInt8 = 0x30
    static let dateTime: UInt8 = 0x31
    static let resolution: UInt8 = 0x32
    static let range: UInt8 = 0x33
    static let beginCollection: UInt8 = 0x34
    static let textWithLanguage: UInt8 = 0x35
    static let nameWithLanguage: UInt8 = 0x36
    static let endCollection: UInt8 = 0x37
    static let text: UInt8 = 0x41
    static let name: UInt8 = 0x42
    static let keyword: UInt8 = 0x44
    static let uri: UInt8 = 0x45
    static let uriScheme: UInt8 = 0x46
    static let charset: UInt8 = 0x47
    static let naturalLanguage: UInt8 = 0x48
    static let mimeMediaType: UInt8 = 0x49
    static let memberName: UInt8 = 0x4A
    static let `extension`: UInt8 = 0x7F
}
