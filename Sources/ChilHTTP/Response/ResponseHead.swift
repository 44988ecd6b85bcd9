/// The head of an answer that another server gave us.
package struct ResponseHead: Equatable, Sendable {
    package let bytes: [UInt8]
    /// 200 to 599: interim answers are not handed out.
    package let statusCode: Int
    package let version: ProtocolVersion
    package let framing: MessageFraming
    /// Whether the connection can carry another request once the body is read.
    package let keepAlive: Bool
    let fields: FieldSection

    /// The value of a field, without the white space around it: the first line's if there are several.
    package func field(_ name: KnownField) -> ArraySlice<UInt8>? {
        fields.range(of: name).map { bytes[$0] }
    }

    package func field(_ name: StaticString) -> ArraySlice<UInt8>? {
        fields.range(named: name, in: bytes).map { bytes[$0] }
    }

    package func text(_ name: KnownField) -> String? {
        field(name).flatMap { String(validating: $0, as: UTF8.self) }
    }

    package var mediaType: MediaType? { field(.contentType).flatMap(MediaType.init) }
}
