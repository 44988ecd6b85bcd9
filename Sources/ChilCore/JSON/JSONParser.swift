/// One pass over a JSON text by recursive descent; the depth limit bounds the recursion.
struct JSONParser {
    let raw: UnsafeRawBufferPointer
    let limits: JSONLimits
    var at = 0
    private var depth = 0
    private var valueCount = 0

    init(_ raw: UnsafeRawBufferPointer, limits: JSONLimits) {
        self.raw = raw
        self.limits = limits
    }

    mutating func document() throws(JSONFault) -> JSONValue {
        if raw.count >= 3, raw[0] == 0xEF, raw[1] == 0xBB, raw[2] == 0xBF { throw JSONFault(.byteOrderMark, at: 0) }
        skipSpace()
        let value = try value()
        skipSpace()
        guard at == raw.count else { throw JSONFault(.trailingBytes, at: at) }
        return value
    }

    private mutating func value() throws(JSONFault) -> JSONValue {
        switch try current() {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object())
        case UInt8(ascii: "["): return .array(try array())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"):
            try word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        default: throw JSONFault(.unexpectedByte, at: at)
        }
    }

    private mutating func object() throws(JSONFault) -> JSONObject {
        try enter()
        var object = JSONObject()
        skipSpace()
        if try current() == UInt8(ascii: "}") {
            leave()
            return object
        }
        while true {
            let nameOffset = at
            guard try current() == UInt8(ascii: "\"") else { throw JSONFault(.unexpectedByte, at: at) }
            let name = try string()
            guard !object.hasMember(named: name) else { throw JSONFault(.repeatedMember, at: nameOffset) }
            skipSpace()
            guard try current() == UInt8(ascii: ":") else { throw JSONFault(.unexpectedByte, at: at) }
            at += 1
            skipSpace()
            try countValue()
            object.append(name, try value())
            if try isLast(closing: UInt8(ascii: "}")) { return object }
        }
    }

    private mutating func array() throws(JSONFault) -> [JSONValue] {
        try enter()
        var elements: [JSONValue] = []
        skipSpace()
        if try current() == UInt8(ascii: "]") {
            leave()
            return elements
        }
        while true {
            try countValue()
            elements.append(try value())
            if try isLast(closing: UInt8(ascii: "]")) { return elements }
        }
    }

    /// After a member or an element: past the comma, or out of the container.
    private mutating func isLast(closing: UInt8) throws(JSONFault) -> Bool {
        skipSpace()
        let byte = try current()
        if byte == closing {
            leave()
            return true
        }
        guard byte == UInt8(ascii: ",") else { throw JSONFault(.unexpectedByte, at: at) }
        at += 1
        skipSpace()
        return false
    }

    private mutating func enter() throws(JSONFault) {
        guard depth < limits.depthMax else { throw JSONFault(.tooDeep(depthMax: limits.depthMax), at: at) }
        depth += 1
        at += 1
    }

    private mutating func leave() {
        depth -= 1
        at += 1
    }

    private mutating func countValue() throws(JSONFault) {
        guard valueCount < limits.valuesMax else {
            throw JSONFault(.tooManyValues(valuesMax: limits.valuesMax), at: at)
        }
        valueCount += 1
    }

    private mutating func word(_ word: StaticString) throws(JSONFault) {
        for index in 0..<word.utf8CodeUnitCount {
            guard at < raw.count else { throw JSONFault(.unexpectedEnd, at: at) }
            guard raw[at] == word.utf8Start[index] else { throw JSONFault(.unexpectedByte, at: at) }
            at += 1
        }
    }

    @inline(__always)
    private func current() throws(JSONFault) -> UInt8 {
        guard at < raw.count else { throw JSONFault(.unexpectedEnd, at: at) }
        return raw[at]
    }

    @inline(__always)
    private mutating func skipSpace() {
        while at < raw.count {
            switch raw[at] {
            case 0x20, 0x0A, 0x0D, 0x09: at += 1
            default: return
            }
        }
    }
}
