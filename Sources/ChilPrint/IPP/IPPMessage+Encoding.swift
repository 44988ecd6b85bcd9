extension IPPMessage {
    /// The message as it is sent; a document follows directly. All lengths count bytes.
    package func encoded() throws(IPPCodingFault) -> [UInt8] {
        var writer = IPPWriter()
        writer.bytes += [version.major, version.minor, UInt8(code >> 8), UInt8(code & 0xFF)]
        writer.add(requestID)
        for group in groups {
            writer.bytes.append(group.kind.tag)
            for attribute in group.attributes { try writer.add(attribute) }
        }
        writer.bytes.append(IPPTag.endOfAttributes)
        return writer.bytes
    }
}

private struct IPPWriter {
    var bytes: [UInt8] = []

    mutating func add(_ number: Int32) {
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    mutating func add(_ attribute: IPPAttribute) throws(IPPCodingFault) {
        var name = Array(attribute.name.utf8)
        for value in attribute.values {
            try add(value, named: name)
            name = []
        }
    }

    private mutating func add(_ value: IPPValue, named name: [UInt8]) throws(IPPCodingFault) {
        switch value {
        case .integer(let number): try add(IPPTag.integer, name, Self.bytes(number))
        case .boolean(let flag): try add(IPPTag.boolean, name, [flag ? 1 : 0])
        case .enumeration(let number): try add(IPPTag.enumeration, name, Self.bytes(number))
        case .octets(let octets): try add(IPPTag.octets, name, octets)
        case .dateTime(let octets): try add(IPPTag.dateTime, name, octets)
        case .resolution(let across, let along, let units):
            try add(IPPTag.resolution, name, Self.bytes(across) + Self.bytes(along) + [UInt8(bitPattern: units)])
        case .range(let lower, let upper): try add(IPPTag.range, name, Self.bytes(lower) + Self.bytes(upper))
        case .collection(let members): try add(members, named: name)
        case .text(let text): try add(IPPTag.text, name, Array(text.utf8))
        case .name(let text): try add(IPPTag.name, name, Array(text.utf8))
        case .textWithLanguage(let language, let text):
            try add(IPPTag.textWithLanguage, name, Self.pair(language, text))
        case .nameWithLanguage(let language, let text):
            try add(IPPTag.nameWithLanguage, name, Self.pair(language, text))
        case .keyword(let text): try add(IPPTag.keyword, name, Array(text.utf8))
        case .uri(let text): try add(IPPTag.uri, name, Array(text.utf8))
        case .uriScheme(let text): try add(IPPTag.uriScheme, name, Array(text.utf8))
        case .charset(let text): try add(IPPTag.charset, name, Array(text.utf8))
        case .naturalLanguage(let text): try add(IPPTag.naturalLanguage, name, Array(text.utf8))
        case .mimeMediaType(let text): try add(IPPTag.mimeMediaType, name, Array(text.utf8))
        case .outOfBand(let tag): try add(tag, name, [])
        case .other(let tag, let octets): try add(tag, name, octets)
        }
    }

    /// Each member is a nameless value that is its name, and then its values (RFC 8010 §3.1.6).
    private mutating func add(_ members: [IPPAttribute], named name: [UInt8]) throws(IPPCodingFault) {
        try add(IPPTag.beginCollection, name, [])
        for member in members {
            try add(IPPTag.memberName, [], Array(member.name.utf8))
            for value in member.values { try add(value, named: []) }
        }
        try add(IPPTag.endCollection, [], [])
    }

    private mutating func add(_ tag: UInt8, _ name: [UInt8], _ value: [UInt8]) throws(IPPCodingFault) {
        bytes.append(tag)
        try addField(name)
        try addField(value)
    }

    private mutating func addField(_ field: [UInt8]) throws(IPPCodingFault) {
        guard field.count <= IPPLimits.fieldByteCountMax else { throw .lengthBeyondLimit }
        bytes += Self.length(field.count) + field
    }

    private static func pair(_ language: String, _ text: String) -> [UInt8] {
        length(language.utf8.count) + Array(language.utf8) + length(text.utf8.count) + Array(text.utf8)
    }

    private static func length(_ count: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
    }

    private static func bytes(_ number: Int32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
