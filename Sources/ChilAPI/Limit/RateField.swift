import ChilStore

/// `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): lists of strings with parameters, as structured fields
/// (RFC 9651) have them.
enum RateField {
    /// What a policy is called: `read-user`.
    struct Name: Equatable {
        let kind: StaticString
        let scope: StaticString

        init(_ scope: RateScope, _ kind: RateClass) {
            self.kind =
                switch kind {
                case .auth: "auth"
                case .read: "read"
                case .write: "write"
                case .print: "print"
                }
            self.scope =
                switch scope {
                case .address: "address"
                case .tenant: "tenant"
                case .user: "user"
                }
        }

        private init(kind: StaticString, scope: StaticString = "address") {
            self.kind = kind
            self.scope = scope
        }

        /// The /48 of an IPv6 address.
        static func site(_ kind: RateClass) -> Name {
            Name(kind: Name(.address, kind).kind, scope: "site")
        }

        /// Those who look at a person's pictures by their signed addresses.
        static let viewers = Name(kind: "image", scope: "user")

        /// Asking for tenants that are not.
        static let lookup = Name(kind: "lookup")
        /// `/apple/notifications`.
        static let notification = Name(kind: "notification")

        /// Prints without a token.
        static let guestPrint = Name(kind: "guest-print")

        static func == (one: Name, other: Name) -> Bool {
            "\(one.kind)" == "\(other.kind)" && "\(one.scope)" == "\(other.scope)"
        }
    }

    /// `"read-user";q=1200;w=60`: so many requests in so many seconds.
    static func policy(_ name: Name, _ rule: RateRule) -> [UInt8] {
        withField(name, ";q=", Int64(rule.quota), ";w=", Int64(rule.window)) { Array($0) }
    }

    /// `"read-user";r=1199;t=1`: what is left, and the seconds until all is there again; of a refusal: until the next may come.
    static func withLimit<Answer>(
        _ name: Name,
        remaining: Int64,
        seconds: Int64,
        _ body: (UnsafeRawBufferPointer) -> Answer
    ) -> Answer {
        withField(name, ";r=", remaining, ";t=", seconds, body)
    }

    static func list(_ items: [[UInt8]]) -> [UInt8] { Array(items.joined(separator: Array(", ".utf8))) }

    /// Written on the stack: every answer has one.
    private static func withField<Answer>(
        _ name: Name,
        _ firstKey: StaticString,
        _ first: Int64,
        _ secondKey: StaticString,
        _ second: Int64,
        _ body: (UnsafeRawBufferPointer) -> Answer
    ) -> Answer {
        withUnsafeTemporaryAllocation(byteCount: Self.bytesMax, alignment: 1) { field in
            var count = 0
            func put(_ byte: UInt8) {
                field[count] = byte
                count += 1
            }
            func append(_ text: StaticString) {
                for byte in UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount) { put(byte) }
            }
            func append(_ number: Int64) {
                var divisor: Int64 = 1
                while number / divisor >= 10 { divisor *= 10 }
                while divisor > 0 {
                    put(0x30 + UInt8(number / divisor % 10))
                    divisor /= 10
                }
            }
            put(0x22)
            append(name.kind)
            put(0x2d)
            append(name.scope)
            put(0x22)
            append(firstKey)
            append(first)
            append(secondKey)
            append(second)
            return body(UnsafeRawBufferPointer(rebasing: field[..<count]))
        }
    }

    /// The longest name, and two numbers of 19 digits.
    private static let bytesMax = 80
}
