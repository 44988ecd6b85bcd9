import ChilPrint
import Testing

private let printerURI = "ipp://127.0.0.1:8631/ipp/print"

private func operation(_ more: IPPAttribute...) -> IPPMessage.Group {
    IPPMessage.Group(
        .operation,
        [
            IPPAttribute("attributes-charset", .charset("utf-8")),
            IPPAttribute("attributes-natural-language", .naturalLanguage("en")),
            IPPAttribute("printer-uri", .uri(printerURI)),
            IPPAttribute("requesting-user-name", .name("chilapi")),
        ] + more
    )
}

private let mediaCol = IPPAttribute(
    "media-col",
    .collection([
        IPPAttribute(
            "media-size",
            .collection([
                IPPAttribute("x-dimension", .integer(21_000)), IPPAttribute("y-dimension", .integer(29_700)),
            ])
        )
    ])
)

private let everything = IPPMessage(
    version: .v1_1,
    code: 0x0001,
    requestID: 77,
    groups: [
        operation(),
        IPPMessage.Group(
            .printer,
            [
                IPPAttribute("printer-state", .enumeration(5)),
                IPPAttribute("printer-is-accepting-jobs", .boolean(true)),
                IPPAttribute("printer-state-reasons", .keyword("media-empty"), .keyword("cover-open")),
                IPPAttribute("copies-supported", .range(lower: 1, upper: 99)),
                IPPAttribute("printer-resolution", .resolution(across: 600, along: 1_200, units: 3)),
                IPPAttribute("printer-info", .textWithLanguage(language: "ko", text: "그림 프린터")),
                IPPAttribute("job-name", .nameWithLanguage(language: "en", name: "")),
                IPPAttribute("printer-current-time", .dateTime([UInt8](repeating: 7, count: 11))),
                IPPAttribute("printer-alert", .octets([0, 255])),
                IPPAttribute("printer-location", .text("")),
                IPPAttribute("uri-scheme", .uriScheme("ipp")),
                IPPAttribute("format", .mimeMediaType("application/pdf")),
                IPPAttribute("nothing", .outOfBand(tag: 0x13)),
                IPPAttribute("strange", .other(tag: 0x7F, bytes: [1, 2, 3, 4])),
                IPPAttribute("negative", .integer(-1)),
                IPPAttribute("none", .collection([])),
                mediaCol,
            ]
        ),
        IPPMessage.Group(.job, []),
        IPPMessage.Group(.job, [IPPAttribute("job-id", .integer(9))]),
        IPPMessage.Group(.other(0x0A), []),
    ]
)

struct HostileRow: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let fault: IPPCodingFault
    var testDescription: String { name }

    private static let head: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 1]
    private static func attribute(_ tag: UInt8, _ name: String, _ value: [UInt8]) -> [UInt8] {
        [tag, 0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.count >> 8), UInt8(value.count & 255)]
            + value
    }

    private static let opened = attribute(0x34, "c", [])
    private static let closed = attribute(0x37, "", [])

    static let all: [Self] = [
        row("nothing", [], .truncated),
        row("half a head", [2, 0, 0, 0, 0], .truncated),
        row("request 0", [2, 0, 0, 0, 0, 0, 0, 0, 3], .requestID),
        row("request below 0", [2, 0, 0, 0, 255, 255, 255, 255, 3], .requestID),
        row("no end", head, .truncated),
        row("attribute before a group", head + attribute(0x21, "a", [0, 0, 0, 1]) + [3], .attributeOutsideGroup),
        row("value without a name", head + [1] + attribute(0x21, "", [0, 0, 0, 1]) + [3], .valueWithoutName),
        row(
            "value of the group before",
            head + [1] + attribute(0x44, "a", []) + [2] + attribute(0x44, "", []) + [3],
            .valueWithoutName
        ),
        row("delimiter 0", head + [0], .reservedDelimiter(0)),
        row("name of 32,768 bytes", head + [1, 0x44, 0x80, 0x00], .lengthBeyondLimit),
        row("value of 65,535 bytes", head + [1, 0x44, 0, 1, 97, 0xFF, 0xFF], .lengthBeyondLimit),
        row("value longer than the message", head + [1, 0x44, 0, 1, 97, 0x7F, 0xFF, 1], .truncated),
        row("integer of three bytes", head + [1] + attribute(0x21, "a", [0, 0, 1]) + [3], .wrongLength(tag: 0x21)),
        row("enum of five bytes", head + [1] + attribute(0x23, "a", [0, 0, 0, 0, 1]) + [3], .wrongLength(tag: 0x23)),
        row("boolean of no byte", head + [1] + attribute(0x22, "a", []) + [3], .wrongLength(tag: 0x22)),
        row("short date", head + [1] + attribute(0x31, "a", [1]) + [3], .wrongLength(tag: 0x31)),
        row("short resolution", head + [1] + attribute(0x32, "a", [1]) + [3], .wrongLength(tag: 0x32)),
        row(
            "long range",
            head + [1] + attribute(0x33, "a", [UInt8](repeating: 0, count: 9)) + [3],
            .wrongLength(tag: 0x33)
        ),
        row(
            "language longer than its value",
            head + [1] + attribute(0x35, "a", [0, 9, 101, 110, 0, 0]) + [3],
            .wrongLength(tag: 0x35)
        ),
        row(
            "text shorter than its value",
            head + [1] + attribute(0x36, "a", [0, 1, 101, 0, 1, 65, 66]) + [3],
            .wrongLength(tag: 0x36)
        ),
        row("collection that ends nowhere", head + [1] + opened, .truncated),
        row("collection that ends with the group", head + [1] + opened + [3], .malformedCollection),
        row("end without a collection", head + [1] + attribute(0x37, "a", []), .malformedCollection),
        row("member name without a collection", head + [1] + attribute(0x4A, "a", []), .malformedCollection),
        row(
            "member without a name",
            head + [1] + opened + attribute(0x21, "", [0, 0, 0, 1]) + closed + [3],
            .malformedCollection
        ),
        row(
            "member with an empty name",
            head + [1] + opened + attribute(0x4A, "", []) + closed + [3],
            .malformedCollection
        ),
        row(
            "member without a value",
            head + [1] + opened + attribute(0x4A, "", [97]) + closed + [3],
            .malformedCollection
        ),
        row(
            "named value in a collection",
            head + [1] + opened + attribute(0x4A, "x", [97]) + [3],
            .malformedCollection
        ),
        row("nine collections in each other", head + [1] + attribute(0x34, "c", []) + nested(8), .tooDeep(max: 8)),
        row(
            "ten thousand collections in each other",
            head + [1] + attribute(0x34, "c", []) + nested(10_000),
            .tooDeep(max: 8)
        ),
        row(
            "4,097 attributes",
            head + [1] + (0..<4_096).flatMap { _ in attribute(0x44, "a", []) } + [3],
            .tooManyAttributes(max: 4_096)
        ),
        row("4,097 groups", head + [UInt8](repeating: 2, count: 4_097) + [3], .tooManyAttributes(max: 4_096)),
        row("1 MiB and a byte", [UInt8](repeating: 2, count: 1_048_577), .tooLarge(byteCountMax: 1_048_576)),
    ]

    private static func nested(_ depth: Int) -> [UInt8] {
        (0..<depth).flatMap { _ in attribute(0x4A, "", [97]) + attribute(0x34, "", []) }
    }

    private static func row(_ name: String, _ bytes: [UInt8], _ fault: IPPCodingFault) -> Self {
        Self(name: name, bytes: bytes, fault: fault)
    }
}

@Suite("IPP message")
struct IPPMessageTests {
    @Test func getPrinterAttributesIsTheReference() throws {
        let wanted = IPPAttribute("requested-attributes", .keyword("printer-state"), .keyword("printer-state-reasons"))
        let message = IPPMessage(version: .v2_0, code: 0x000B, requestID: 1, groups: [operation(wanted)])
        let expected =
            "0200000b0000000101470012617474726962757465732d6368617273657400057574662d3848001b617474726962757465732d"
            + "6e61747572616c2d6c616e67756167650002656e45000b7072696e7465722d757269001e6970703a2f2f3132372e302e302e313a"
            + "383633312f6970702f7072696e7442001472657175657374696e672d757365722d6e616d6500076368696c617069440014726571"
            + "7565737465642d61747472696275746573000d7072696e7465722d737461746544000000157072696e7465722d73746174652d72"
            + "6561736f6e7303"
        let bytes = try message.encoded()
        #expect(hex(bytes) == expected)
        #expect(bytes.count == 214)
        #expect(try IPPMessage(decoding: bytes) == message)
    }

    @Test func collectionIsTheReference() throws {
        let message = IPPMessage(version: .v2_0, code: 5, requestID: 1, groups: [IPPMessage.Group(.job, [mediaCol])])
        let bytes = try message.encoded()
        let expected =
            "3400096d656469612d636f6c00004a0000000a6d656469612d73697a6534000000004a0000000b782d64696d656e73696f6e2100"
            + "000004000052084a0000000b792d64696d656e73696f6e2100000004000074043700000000" + "3700000000"
        #expect(hex(Array(bytes[9...].dropLast())) == expected)
        #expect(bytes.count == 94 + 10)
    }

    @Test func lengthsCountBytesAndNotCharacters() throws {
        let message = IPPMessage(
            version: .v2_0,
            code: 0x0005,
            requestID: 2,
            groups: [
                operation(IPPAttribute("job-name", .name("7f3a chilapi 그림"))), IPPMessage.Group(.job, [mediaCol]),
            ]
        )
        let bytes = try message.encoded()
        #expect(bytes.count == 277)
        #expect(hex(bytes).contains("6a6f622d6e616d650013"), "19 bytes, of 15 characters")
        #expect(try IPPMessage(decoding: bytes) == message)
    }

    @Test func everySyntaxComesBack() throws {
        let bytes = try everything.encoded()
        #expect(try IPPMessage(decoding: bytes) == everything)
        #expect(try IPPMessage(decoding: bytes + [1, 2, 3]) == everything, "a document follows")
    }

    @Test(arguments: HostileRow.all) func refuses(_ row: HostileRow) {
        #expect(throws: row.fault) { try IPPMessage(decoding: row.bytes) }
    }

    @Test func everyTruncationIsSaidToBeOne() throws {
        let bytes = try everything.encoded()
        for end in bytes.indices {
            #expect(throws: IPPCodingFault.truncated, "cut at \(end)") {
                try IPPMessage(decoding: Array(bytes[..<end]))
            }
        }
    }

    @Test func anyChangedByteIsSurvived() throws {
        let bytes = try everything.encoded()
        for index in bytes.indices {
            for value in [0x00, 0x01, 0x03, 0x34, 0x37, 0x4A, 0x7F, 0x80, 0xFF, bytes[index] ^ 1] {
                var changed = bytes
                changed[index] = value
                guard let message = try? IPPMessage(decoding: changed) else { continue }
                let again = try IPPMessage(decoding: message.encoded())
                if again != message { Issue.record("byte \(index) = \(value)") }
            }
        }
    }

    @Test func eightCollectionsDeepIsAllowed() throws {
        var value = IPPValue.integer(1)
        for _ in 0..<8 { value = .collection([IPPAttribute("m", value)]) }
        let group = IPPMessage.Group(.job, [IPPAttribute("a", value)])
        let message = IPPMessage(version: .v2_0, code: 0, requestID: 1, groups: [group])
        #expect(try IPPMessage(decoding: message.encoded()) == message)
    }

    @Test func tooLongAValueIsNotSent() {
        let long = IPPAttribute("job-name", .name(String(repeating: "a", count: 32_768)))
        let message = IPPMessage(version: .v2_0, code: 0, requestID: 1, groups: [IPPMessage.Group(.job, [long])])
        #expect(throws: IPPCodingFault.lengthBeyondLimit) { try message.encoded() }
    }

    @Test func badUTF8IsMended() throws {
        let bytes: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 1, 2, 0x42, 0, 1, 97, 0, 2, 0xFF, 0x41, 3]
        #expect(try IPPMessage(decoding: bytes).first(.job)?.first("a") == .name("\u{FFFD}A"))
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
