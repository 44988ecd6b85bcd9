extension IPPMessage {
    /// Reads a message; bytes behind its end (a document) are left alone.
    package init(decoding bytes: [UInt8], limits: IPPLimits = .standard) throws(IPPCodingFault) {
        guard bytes.count <= limits.byteCountMax else { throw .tooLarge(byteCountMax: limits.byteCountMax) }
        var reader = IPPReader(bytes, limits: limits)
        let head = try reader.take(8)
        let requestID = Int32(bitPattern: head[4...].reduce(0) { $0 << 8 | UInt32($1) })
        guard requestID >= 1 else { throw .requestID }
        self.init(
            version: Version(major: head[0], minor: head[1]),
            code: UInt16(head[2]) << 8 | UInt16(head[3]),
            requestID: requestID,
            groups: try reader.groups()
        )
    }
}

private struct IPPReader {
    private let bytes: [UInt8]
    private let limits: IPPLimits
    private var at = 0
    private var attributeCount = 0

    init(_ bytes: [UInt8], limits: IPPLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func take(_ count: Int) throws(IPPCodingFault) -> [UInt8] {
        guard count <= bytes.count - at else { throw .truncated }
        defer { at += count }
        return Array(bytes[at..<at + count])
    }

    mutating func groups() throws(IPPCodingFault) -> [IPPMessage.Group] {
        var groups: [IPPMessage.Group] = []
        while true {
            let tag = try take(1)[0]
            if tag == IPPTag.endOfAttributes { return groups }
            guard tag >= IPPTag.firstValue else {
                guard tag != 0 else { throw .reservedDelimiter(tag) }
                try count()
                groups.append(IPPMessage.Group(IPPMessage.GroupKind(tag: tag), []))
                continue
            }
            let name = try field()
            let value = try value(tag, depth: 0)
            guard let last = groups.indices.last else { throw .attributeOutsideGroup }
            if !name.isEmpty {
                try count()
                groups[last].attributes.append(IPPAttribute(String(decoding: name, as: UTF8.self), value))
            } else if let attribute = groups[last].attributes.indices.last {
                groups[last].attributes[attribute].values.append(value)
            } else {
                throw .valueWithoutName
            }
        }
    }

    private mutating func count() throws(IPPCodingFault) {
        attributeCount += 1
        if attributeCount > limits.attributeCountMax { throw .tooManyAttributes(max: limits.attributeCountMax) }
    }

    private mutating func field() throws(IPPCodingFault) -> [UInt8] {
        let head = try take(2)
        let length = Int(head[0]) << 8 | Int(head[1])
        guard length <= IPPLimits.fieldByteCountMax else { throw .lengthBeyondLimit }
        return try take(length)
    }

    /// A value from its length on; `depth` is that of the collection it is in.
    private mutating func value(_ tag: UInt8, depth: Int) throws(IPPCodingFault) -> IPPValue {
        let bytes = try field()
        func text() -> String { String(decoding: bytes, as: UTF8.self) }
        switch tag {
        case IPPTag.beginCollection: return .collection(try members(depth: depth + 1))
        case IPPTag.endCollection, IPPTag.memberName: throw .malformedCollection
        case 0x10...0x1F: return .outOfBand(tag: tag)
        case IPPTag.integer: return .integer(try Self.number(bytes, tag))
        case IPPTag.enumeration: return .enumeration(try Self.number(bytes, tag))
        case IPPTag.boolean:
            guard bytes.count == 1 else { throw .wrongLength(tag: tag) }
            return .boolean(bytes[0] != 0)
        case IPPTag.octets: return .octets(bytes)
        case IPPTag.dateTime:
            guard bytes.count == 11 else { throw .wrongLength(tag: tag) }
            return .dateTime(bytes)
        case IPPTag.resolution:
            guard bytes.count == 9 else { throw .wrongLength(tag: tag) }
            return .resolution(
                across: try Self.number(Array(bytes[..<4]), tag),
                along: try Self.number(Array(bytes[4..<8]), tag),
                units: Int8(bitPattern: bytes[8])
            )
        case IPPTag.range:
            guard bytes.count == 8 else { throw .wrongLength(tag: tag) }
            return .range(
                lower: try Self.number(Array(bytes[..<4]), tag),
                upper: try Self.number(Array(bytes[4...]), tag)
            )
        case IPPTag.textWithLanguage:
            let (language, text) = try Self.pair(bytes, tag)
            return .textWithLanguage(language: language, text: text)
        case IPPTag.nameWithLanguage:
            let (language, name) = try Self.pair(bytes, tag)
            return .nameWithLanguage(language: language, name: name)
        case IPPTag.text: return .text(text())
        case IPPTag.name: return .name(text())
        case IPPTag.keyword: return .keyword(text())
        case IPPTag.uri: return .uri(text())
        case IPPTag.uriScheme: return .uriScheme(text())
        case IPPTag.charset: return .charset(text())
        case IPPTag.naturalLanguage: return .naturalLanguage(text())
        case IPPTag.mimeMediaType: return .mimeMediaType(text())
        default: return .other(tag: tag, bytes: bytes)
        }
    }

    private mutating func members(depth: Int) throws(IPPCodingFault) -> [IPPAttribute] {
        guard depth <= limits.depthMax else { throw .tooDeep(max: limits.depthMax) }
        var members: [IPPAttribute] = []
        while true {
            let tag = try take(1)[0]
            guard tag >= IPPTag.firstValue, try field().isEmpty else { throw .malformedCollection }
            switch tag {
            case IPPTag.endCollection:
                _ = try field()
                guard members.last?.values.isEmpty != true else { throw .malformedCollection }
                return members
            case IPPTag.memberName:
                try count()
                let name = try field()
                guard !name.isEmpty, members.last?.values.isEmpty != true else { throw .malformedCollection }
                members.append(IPPAttribute(String(decoding: name, as: UTF8.self), values: []))
            default:
                guard let last = members.indices.last else { throw .malformedCollection }
                members[last].values.append(try value(tag, depth: depth))
            }
        }
    }

    private static func number(_ bytes: [UInt8], _ tag: UInt8) throws(IPPCodingFault) -> Int32 {
        guard bytes.count == 4 else { throw .wrongLength(tag: tag) }
        return Int32(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// Two fields in one value (RFC 8010 §3.9): the inner lengths must fill the outer one.
    private static func pair(_ bytes: [UInt8], _ tag: UInt8) throws(IPPCodingFault) -> (String, String) {
        guard bytes.count >= 4 else { throw .wrongLength(tag: tag) }
        let first = Int(bytes[0]) << 8 | Int(bytes[1])
        guard bytes.count >= 4 + first else { throw .wrongLength(tag: tag) }
        let second = Int(bytes[2 + first]) << 8 | Int(bytes[3 + first])
        guard bytes.count == 4 + first + second else { throw .wrongLength(tag: tag) }
        return (
            String(decoding: bytes[2..<2 + first], as: UTF8.self),
            String(decoding: bytes[(4 + first)...], as: UTF8.self)
        )
    }
}
