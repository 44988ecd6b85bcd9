import Glibc

/// Where the parts of a request target stand in the head (RFC 9112 §3.2).
struct RequestTarget: Equatable, Sendable {
    package enum Form: UInt8, Sendable { case origin, absolute, authority, asterisk }

    let form: Form
    let whole: Extent
    let path: Extent
    let query: Extent?
    let authority: Extent?

    /// Splits and checks a target whose bytes are all of `ByteTable.target`. Nil if it has no form that fits the method.
    ///
    /// A user name in an absolute target is refused (RFC 9110 §4.2.4), and so is any scheme but http and https.
    static func parse(_ base: UnsafePointer<UInt8>, _ whole: Extent, method: Method) -> Self? {
        let bytes = whole.of(base)
        if method == .connect {
            guard HostSyntax.isValid(bytes, portRequired: true) else { return nil }
            return Self(form: .authority, whole: whole, path: .empty, query: nil, authority: whole)
        }
        guard let first = bytes.first else { return nil }
        if first == ASCII.slash {
            return split(base, whole, pathStart: Int(whole.start), form: .origin, authority: nil)
        }
        if first == ASCII.asterisk {
            guard bytes.count == 1, method == .options else { return nil }
            return Self(form: .asterisk, whole: whole, path: whole, query: nil, authority: nil)
        }
        guard let schemeCount = schemeCount(bytes) else { return nil }
        let hostStart = Int(whole.start) + schemeCount
        var hostEnd = hostStart
        while hostEnd < Int(whole.end), base[hostEnd] != ASCII.slash, base[hostEnd] != ASCII.question { hostEnd += 1 }
        let authority = Extent(hostStart, hostEnd)
        guard HostSyntax.isValid(authority.of(base)) else { return nil }
        return split(base, whole, pathStart: hostEnd, form: .absolute, authority: authority)
    }

    /// The length of `http://` or `https://` in front of `bytes`.
    private static func schemeCount(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let schemes: [StaticString] = ["http://", "https://"]
        for scheme in schemes where bytes.count >= scheme.utf8CodeUnitCount {
            let count = scheme.utf8CodeUnitCount
            if FoldedName.isWord(UnsafeRawBufferPointer(rebasing: bytes[..<count]), scheme) { return count }
        }
        return nil
    }

    private static func split(
        _ base: UnsafePointer<UInt8>,
        _ whole: Extent,
        pathStart: Int,
        form: Form,
        authority: Extent?
    ) -> Self? {
        let end = Int(whole.end)
        let masks = ByteTable.shared.masks
        var index = pathStart
        var question: Int?
        while index < end {
            let byte = base[index]
            if masks[Int(byte)] & ByteTable.path != 0 {
                index &+= 1
            } else if byte == ASCII.percent {
                guard index + 2 < end,
                    masks[Int(base[index + 1])] & masks[Int(base[index + 2])] & ByteTable.hexDigit != 0
                else { return nil }
                index &+= 3
            } else if byte == ASCII.question {
                question = question ?? index
                index &+= 1
            } else {
                return nil  // a bracket outside of an IPv6 address
            }
        }
        guard let question else {
            return Self(form: form, whole: whole, path: Extent(pathStart, end), query: nil, authority: authority)
        }
        return Self(
            form: form,
            whole: whole,
            path: Extent(pathStart, question),
            query: Extent(question + 1, end),
            authority: authority
        )
    }
}
