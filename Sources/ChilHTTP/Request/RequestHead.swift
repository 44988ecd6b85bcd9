/// The head of a request that passed every check of `RequestHeadParser`: its bytes, and where the parts stand in them.
package struct RequestHead: Equatable, Sendable {
    /// The head as received, to the empty line; an ignored CRLF in front is among them.
    package let bytes: [UInt8]
    package let method: Method
    package let version: ProtocolVersion
    package let framing: MessageFraming
    /// Whether the peer wants the connection kept after this exchange (RFC 9112 §9.3).
    package let keepAlive: Bool
    /// Whether the peer waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). Never true without a body.
    package let expectsContinue: Bool
    let methodExtent: Extent
    let requestTarget: RequestTarget
    let authorityExtent: Extent?
    let fields: FieldSection

    /// The whole target as received.
    package var target: ArraySlice<UInt8> { bytes[requestTarget.whole.range] }

    /// Where the path stands in `bytes`, still percent-encoded. `*` for `OPTIONS *`; empty for CONNECT and for an absolute target
    /// without a path, which means `/`.
    package var pathRange: Range<Int> { requestTarget.path.range }
    package var path: ArraySlice<UInt8> { bytes[requestTarget.path.range] }

    /// What stands behind the `?`, still percent-encoded; nil without a `?`.
    package var query: ArraySlice<UInt8>? { requestTarget.query.map { bytes[$0.range] } }

    /// Host and port that the request is for: the target's if it is absolute (RFC 9112 §3.2.2), else the Host field's.
    package var authority: ArraySlice<UInt8>? { authorityExtent.map { bytes[$0.range] } }

    package var isForWholeServer: Bool { requestTarget.form == .asterisk }
    package var hasAuthorityTarget: Bool { requestTarget.form == .authority }
}

extension RequestHead {
    /// The value of a field, without the white space around it: the first line's if there are several.
    package func field(_ name: KnownField) -> ArraySlice<UInt8>? {
        guard let range = range(of: name) else { return nil }
        return bytes[range]
    }

    package func field(_ name: StaticString) -> ArraySlice<UInt8>? {
        fields.range(named: name, in: bytes).map { bytes[$0] }
    }

    /// The value as text; nil if there is none or it is no UTF-8.
    package func text(_ name: KnownField) -> String? {
        field(name).flatMap { String(validating: $0, as: UTF8.self) }
    }

    package func has(_ name: KnownField) -> Bool { fields.has(name) }

    /// Where the first line's value stands in `bytes`.
    package func range(of name: KnownField) -> Range<Int>? { fields.range(of: name) }

    /// The values of all lines of a field whose value is a list (RFC 9110 §5.3).
    package func fieldLines(_ name: KnownField) -> [ArraySlice<UInt8>] {
        fields.ranges(of: name).map { bytes[$0] }
    }

    /// The field lines exactly as received, each with its CRLF; empty if there are none.
    package var allFieldLines: ArraySlice<UInt8> {
        guard let first = fields.lines.first else { return [] }
        return bytes[Int(first.name.start)..<(bytes.count - 2)]
    }

    /// Each field line in order, the value without the white space around it.
    package var fieldLines: [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
        fields.lines.map { (bytes[$0.name.range], bytes[$0.value.range]) }
    }
}
