package import ChilCore
import ChilCrypto
import ChilHTTP

/// Signature Version 4 of a request to S3 ("Authenticating Requests: Using the Authorization Header", Amazon S3 API Reference), the
/// body's digest signed with it; or of a URL.
package struct S3Signature: Sendable {
    static let algorithm = "AWS4-HMAC-SHA256"
    private static let service = "s3"

    private let credentials: S3Credentials
    private let region: String

    package init(_ credentials: S3Credentials, region: String) {
        self.credentials = credentials
        self.region = region
    }

    /// The value of `Authorization`. All fields given are signed.
    ///
    /// - Parameters:
    ///   - path: encoded, as it is sent.
    ///   - query: as `canonical(_:)` gives it and as it is sent.
    ///   - fields: names in lower case, `host`, `x-amz-date` and `x-amz-content-sha256` among them.
    ///   - payload: hexadecimal SHA-256 of the body.
    package func authorization(
        _ method: String,
        path: String,
        query: String,
        fields: [(name: String, value: String)],
        payload: String,
        at now: Timestamp
    ) -> String {
        let (names, signature, scope) = signed(method, path, query, fields, payload, at: now)
        return "\(Self.algorithm) Credential=\(credentials.id)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
    }

    /// The whole query of a URL that anybody may GET for `seconds` ("Authenticating Requests: Using Query Parameters", the same book).
    ///
    /// - Parameter query: what it asks for, without the signature's own parameters.
    package func presigned(
        path: String,
        host: String,
        query: [(name: String, value: String)],
        seconds: Int,
        at now: Timestamp
    ) -> String {
        let time = Self.time(now)
        let own = [
            ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.id)/\(scope(of: time))"),
            ("X-Amz-Date", time), ("X-Amz-Expires", "\(seconds)"), ("X-Amz-SignedHeaders", "host"),
        ]
        let canonical = Self.canonical(query + own.map { (name: $0.0, value: $0.1) })
        let (_, signature, _) = signed("GET", path, canonical, [("host", host)], "UNSIGNED-PAYLOAD", at: now)
        return "\(canonical)&X-Amz-Signature=\(signature)"
    }

    private func signed(
        _ method: String,
        _ path: String,
        _ query: String,
        _ fields: [(name: String, value: String)],
        _ payload: String,
        at now: Timestamp
    ) -> (names: String, signature: String, scope: String) {
        let sorted = fields.sorted { $0.name < $1.name }
        let names = sorted.map(\.name).joined(separator: ";")
        let lines = sorted.map { "\($0.name):\(Self.trimmed($0.value))\n" }.joined()
        let request = "\(method)\n\(path)\n\(query)\n\(lines)\n\(names)\n\(payload)"
        let time = Self.time(now)
        let scope = scope(of: time)
        let digest = SHA256.digest(of: Array(request.utf8)).hex
        let toSign = "\(Self.algorithm)\n\(time)\n\(scope)\n\(digest)"
        return (names, key(of: String(time.prefix(8))).code(of: Array(toSign.utf8)).hex, scope)
    }

    private func scope(of time: String) -> String { "\(time.prefix(8))/\(region)/\(Self.service)/aws4_request" }

    /// Names and values encoded, in the order of their bytes.
    package static func canonical(_ query: [(name: String, value: String)]) -> String {
        query.map { "\(PercentCoding.encode($0.name))=\(PercentCoding.encode($0.value))" }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: "&")
    }

    /// ISO 8601's basic form: `20130524T000000Z`.
    package static func time(_ now: Timestamp) -> String {
        now.description.filter { $0 != "-" && $0 != ":" }.prefix(15) + "Z"
    }

    private func key(of day: String) -> HMACSHA256 {
        var key = credentials.secret.withUnsafeBytes { HMACSHA256(key: Array("AWS4".utf8) + Array($0)) }
        for part in [day, region, Self.service, "aws4_request"] {
            key = HMACSHA256(key: key.code(of: Array(part.utf8)).bytes)
        }
        return key
    }

    /// Spaces around go, and of several in between one stays.
    private static func trimmed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }
}
