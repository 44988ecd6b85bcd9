package import ChilCore
import ChilCrypto

/// A refresh token taken apart: `chl_rt_` and base64url of version(1) ‖ tenant(8) ‖ session(8) ‖ counter(4) ‖ MAC(16) ‖
/// checksum(4), big endian.
///
/// The checksum (the first bytes of SHA-256 of all before it) needs no key: it drops garbage before the database is
/// asked. What is well-formed is genuine only if `RefreshTokenMinter` says so with the session's salt.
package struct RefreshToken: Equatable, Sendable {
    package let version: UInt8
    package let tenant: TenantID
    package let session: SessionID
    package let counter: UInt32
    let code: [UInt8]

    package static let prefix: StaticString = "chl_rt_"
    static let codeBytes = 16
    static let checksumBytes = 4
    static let signedBytes = 8 + 8 + 4
    private static let bodyBytes = 1 + signedBytes + codeBytes
    /// Characters of the whole text.
    package static let textLength = 7 + ((bodyBytes + checksumBytes) * 4 + 2) / 3

    init(version: UInt8, tenant: TenantID, session: SessionID, counter: UInt32, code: [UInt8]) {
        self.version = version
        self.tenant = tenant
        self.session = session
        self.counter = counter
        self.code = code
    }

    /// nil for what has another form, length or checksum.
    package init?(parsing text: UnsafeRawBufferPointer) {
        guard text.count == Self.textLength else { return nil }
        for index in 0..<Self.prefix.utf8CodeUnitCount where text[index] != Self.prefix.utf8Start[index] { return nil }
        let letters = UnsafeRawBufferPointer(rebasing: text[Self.prefix.utf8CodeUnitCount...])
        guard let bytes = Base64URL.decode(letters), bytes.count == Self.bodyBytes + Self.checksumBytes else {
            return nil
        }
        let body = Array(bytes[..<Self.bodyBytes])
        guard Self.checksum(of: body) == Array(bytes[Self.bodyBytes...]) else { return nil }
        let tenant = Self.number(body[1..<9])
        let session = Self.number(body[9..<17])
        guard let tenant = Int64(exactly: tenant), let session = Int64(exactly: session), tenant > 0, session > 0 else {
            return nil
        }
        version = body[0]
        self.tenant = TenantID(rawValue: tenant)
        self.session = SessionID(rawValue: session)
        counter = UInt32(truncatingIfNeeded: Self.number(body[17..<21]))
        code = Array(body[21...])
    }

    /// nil for what has another form, length or checksum.
    package init?(parsing text: String) {
        var text = text
        guard let token = text.withUTF8({ RefreshToken(parsing: UnsafeRawBufferPointer($0)) }) else { return nil }
        self = token
    }

    /// The text that a client keeps. A secret: never in a log.
    package var text: String {
        var body: [UInt8] = []
        body.reserveCapacity(Self.bodyBytes + Self.checksumBytes)
        body.append(version)
        Self.appendSignedPart(tenant: tenant, session: session, counter: counter, to: &body)
        body += code
        body += Self.checksum(of: body)
        var text: [UInt8] = []
        text.reserveCapacity(Self.textLength)
        text.append(contentsOf: UnsafeBufferPointer(start: Self.prefix.utf8Start, count: Self.prefix.utf8CodeUnitCount))
        body.withUnsafeBytes { Base64URL.append($0, to: &text) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Adds tenant ‖ session ‖ counter, as the text and the code have them.
    static func appendSignedPart(tenant: TenantID, session: SessionID, counter: UInt32, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: tenant.rawValue.bigEndian) { bytes += $0 }
        withUnsafeBytes(of: session.rawValue.bigEndian) { bytes += $0 }
        withUnsafeBytes(of: counter.bigEndian) { bytes += $0 }
    }

    private static func checksum(of body: [UInt8]) -> [UInt8] {
        SHA256.digest(of: body).withUnsafeBytes { Array($0[..<checksumBytes]) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension RefreshToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "[refresh token of session \(session.rawValue)]" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
