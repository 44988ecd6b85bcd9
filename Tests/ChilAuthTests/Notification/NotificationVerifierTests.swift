import ChilAuth
import ChilCore
import ChilCrypto
import Testing

/// Notifications: the checks of identity tokens, and what `events` may look like.
struct NotificationVerifierTests {
    static let now = IdentityVerifierTests.now
    static let event = #"{"type":"consent-revoked","sub":"user","event_time":1796019000123}"#

    struct Fixture {
        let maker: DevelopmentTokenMaker
        let keys: KeySet

        init(_ keyID: String = "key-1") throws {
            maker = DevelopmentTokenMaker(keyID: keyID, key: .es256(try ES256PrivateKey()))
            keys = KeySet([maker.jwk])
        }

        /// Values in JSON; an empty one leaves the claim out.
        func token(_ changes: [String: String] = [:]) throws -> [UInt8] {
            var claims = [
                "iss": "\"https://issuer.example\"", "aud": "\"app\"", "iat": "\(now.seconds - 5)",
                "exp": "\(now.seconds + 86_400)", "jti": "\"event-1\"", "events": quoted(event),
            ]
            for (name, value) in changes { claims[name] = value.isEmpty ? nil : value }
            let members = claims.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
            return try maker.token(claims: Array("{\(members.joined(separator: ","))}".utf8))
        }

        func verdict(_ token: [UInt8], at now: Timestamp = now) -> Result<VerifiedNotification, Rejection> {
            switch NotificationVerifier.precheck(token, providers: [IdentityVerifierTests.provider()], at: now) {
            case .rejected(let rejection): .failure(rejection)
            case .needsKey(let token): token.verified(with: keys)
            }
        }
    }

    /// Text as JSON writes it: how Apple sends `events`.
    static func quoted(_ text: String) -> String {
        var writer = ByteWriter()
        writer.append(json: text)
        return String(decoding: writer.finish(), as: UTF8.self)
    }

    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let events: String
        let kinds: [ProviderEvent.Kind]
        var testDescription: String { name }

        init(_ name: String, _ events: String, _ kinds: [ProviderEvent.Kind]) {
            self.name = name
            self.events = events
            self.kinds = kinds
        }

        static let unreadable = ProviderEvent.Kind.other("unreadable")

        static func type(_ name: String, _ kind: ProviderEvent.Kind) -> Shape {
            Shape("type \(name)", #"{"type":"\#(name)","sub":"user"}"#, [kind])
        }

        static let all = [
            Shape("text", quoted(event), [.consentRevoked]), Shape("object", event, [.consentRevoked]),
            Shape("array", "[\(event)]", [.consentRevoked]),
            Shape("text of an array", quoted("[\(event)]"), [.consentRevoked]),
            Shape("array of texts", "[\(quoted(event))]", [.consentRevoked]),
            Shape(
                "several",
                #"[{"type":"email-enabled","sub":"a"},{"type":"account-delete","sub":"b"},7]"#,
                [.emailEnabled, .accountDeleted, unreadable]
            ),
            .type("consent-revoked", .consentRevoked), .type("account-delete", .accountDeleted),
            .type("account-deleted", .accountDeleted), .type("email-enabled", .emailEnabled),
            .type("email-disabled", .emailDisabled), .type("something-new", .other("something-new")),
            .type("Consent-Revoked", .other("Consent-Revoked")), .type("", unreadable),
            .type(String(repeating: "x", count: 65), unreadable), .type(#"a\u0000b"#, unreadable),
            Shape("no type", #"{"sub":"user"}"#, [unreadable]),
            Shape("type is a number", #"{"type":1,"sub":"user"}"#, [unreadable]),
            Shape("no subject", #"{"type":"account-delete"}"#, [unreadable]),
            Shape("empty subject", #"{"type":"account-delete","sub":""}"#, [unreadable]),
            Shape("subject is a list", #"{"type":"account-delete","sub":["user"]}"#, [unreadable]),
            Shape("NUL in the subject", #"{"type":"account-delete","sub":"us\u0000er"}"#, [unreadable]),
            Shape(
                "a member twice",
                quoted(#"{"type":"email-enabled","type":"account-delete","sub":"user"}"#),
                [unreadable]
            ),
            Shape("text of a text", quoted(quoted(event)), [unreadable]), Shape("no JSON", "\"{\"", [unreadable]),
            Shape("number", "1", [unreadable]), Shape("null", "null", [unreadable]),
            Shape("empty list", "[]", [unreadable]),
            Shape("list in a list", "[[\(event)]]", [unreadable]),
            Shape("too many", "[\(Array(repeating: "1", count: 33).joined(separator: ","))]", [unreadable]),
            Shape(
                "as RFC 8417 has it",
                #"{"https://schemas.openid.net/secevent/risc/event-type/account-purged":{}}"#,
                [unreadable]
            ),
        ]
    }

    @Test(arguments: Shape.all)
    func eventsAreReadInEveryShape(_ shape: Shape) throws {
        let fixture = try Fixture()
        let notification = try fixture.verdict(try fixture.token(["events": shape.events])).get()
        #expect(notification.events.map(\.kind) == shape.kinds)
        for event in notification.events {
            if case .other = event.kind { #expect(event.subject.isEmpty) } else { #expect(!event.subject.isEmpty) }
        }
        #expect(notification.clientID == "app" && notification.providerID == ProviderID(rawValue: 7))
    }

    @Test(
        arguments: [
            ("1796019000123", 1_796_019_000_123_000), ("1796019000", 1_796_019_000_000_000),
            ("1.796019000123E12", 1_796_019_000_123_000), ("0", 0), ("-1", nil), ("1e300", nil),
            ("\"1796019000\"", nil),
            ("null", nil), ("253402300799000", 253_402_300_799_000_000), ("253402300800000", nil),
        ] as [(String, Int64?)]
    )
    func timesAreMillisecondsOrSeconds(_ text: String, _ microseconds: Int64?) throws {
        let fixture = try Fixture()
        let events = #"{"type":"email-disabled","sub":"user","event_time":\#(text)}"#
        let notification = try fixture.verdict(try fixture.token(["events": events])).get()
        #expect(notification.events.map(\.happened) == [microseconds.map(Timestamp.init(microseconds:))])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let claims: [String: String]
        let rejection: Rejection?
        var testDescription: String { name }

        init(_ name: String, _ claims: [String: String], _ rejection: Rejection?) {
            self.name = name
            self.claims = claims
            self.rejection = rejection
        }

        static func time(_ name: String, _ claim: String, _ offset: Int64, _ rejection: Rejection?) -> Row {
            Row(name, [claim: "\(now.seconds + offset)"], rejection)
        }

        static let week: Int64 = 7 * 86_400

        static let all = [
            Row("as it is", [:], nil), Row("of the second client", ["aud": "\"web\""], nil),
            Row("no jti", ["jti": ""], nil),
            Row("with a nonce", ["nonce": "\"n\""], nil),
            Row("no events", ["events": ""], .noEvents),
            Row("wrong issuer", ["iss": "\"https://evil.example\""], .wrongIssuer),
            Row("no issuer", ["iss": ""], .wrongIssuer), Row("wrong audience", ["aud": "\"other\""], .wrongAudience),
            Row("two audiences", ["aud": "[\"app\",\"web\"]"], .wrongAudience),
            Row("no audience", ["aud": ""], .wrongAudience),
            Row("jti is a number", ["jti": "1"], .badTokenID), Row("jti is empty", ["jti": "\"\""], .badTokenID),
            Row("jti is long", ["jti": "\"\(String(repeating: "j", count: 256))\""], .badTokenID),
            Row("no expiry", ["exp": ""], .badExpiry), Row("no issue time", ["iat": ""], .badIssuedAt),
            .time("expired 59 s ago", "exp", -59, nil), .time("expired 60 s ago", "exp", -60, .expired),
            .time("issued in 60 s", "iat", 60, nil), .time("issued in 61 s", "iat", 61, .issuedInFuture),
            .time("issued a week ago", "iat", -week, nil),
            .time("issued before that", "iat", -week - 1, .issuedTooLongAgo),
            .time("not yet valid", "nbf", 61, .notYetValid),
        ]
    }

    @Test(arguments: Row.all)
    func claimsAreChecked(_ row: Row) throws {
        let fixture = try Fixture()
        let rejection: Rejection?
        if case .failure(let fault) = fixture.verdict(try fixture.token(row.claims)) {
            rejection = fault
        } else {
            rejection = nil
        }
        #expect(rejection == row.rejection)
    }

    @Test func signaturesAreChecked() throws {
        let (fixture, stranger) = (try Fixture(), try Fixture())
        guard case .failure(.badSignature) = fixture.verdict(try stranger.token()) else {
            return #expect(Bool(false), "forged")
        }
        let unknown = try Fixture("key-2")
        guard case .failure(.unknownKey) = fixture.verdict(try unknown.token()) else {
            return #expect(Bool(false), "unknown")
        }
        guard
            case .failure(.notConfigured) = { () -> Result<VerifiedNotification, Rejection> in
                switch NotificationVerifier.precheck((try? fixture.token()) ?? [], providers: [], at: Self.now) {
                case .rejected(let rejection): return .failure(rejection)
                case .needsKey(let token): return token.verified(with: fixture.keys)
                }
            }()
        else { return #expect(Bool(false), "no provider") }
    }

    /// The same event again has the same digest, whatever its signature; another has another.
    @Test func eventsAreKnownAgain() throws {
        let fixture = try Fixture()
        func digests(_ changes: [String: String], at now: Timestamp = Self.now) throws -> [String] {
            let notification = try fixture.verdict(try fixture.token(changes), at: now).get()
            return notification.events.indices.map { notification.digest(of: $0).hex }
        }
        let first = try digests([:])
        #expect(first == [SHA256.digest(of: Array("event-1".utf8)).hex])
        #expect(try digests([:]) == first)
        // Sent again by the provider, with another time in it: jti is what counts.
        #expect(try digests(["iat": "\(Self.now.seconds)"]) == first)
        #expect(try digests(["jti": "\"event-2\""]) != first)
        #expect(try digests(["jti": ""]) == digests(["jti": ""]))
        #expect(try digests(["jti": ""]) != digests(["jti": "", "iat": "\(Self.now.seconds)"]))
        let three = try digests(["events": "[\(Self.event),\(Self.event),\(Self.event)]"])
        #expect(Set(three).count == 3 && three[0] == first[0])
    }

    /// Neither is ever taken for the other, whatever a provider puts into them.
    @Test func noNotificationIsAnIdentityTokenNorTheReverse() throws {
        let fixture = try Fixture()
        let changes = ["sub": "\"user\"", "nonce": "\"\(IdentityVerifierTests.hashed)\""]
        let both = try fixture.token(changes)
        for policy in ProviderRecord.NoncePolicy.allCases {
            let precheck = IdentityVerifier.precheck(
                both,
                providers: [IdentityVerifierTests.provider(policy)],
                nonce: IdentityVerifierTests.nonce,
                userID: nil,
                at: Self.now
            )
            #expect(IdentityVerifierTests.rejection(precheck) == .notification)
        }
        let identity = try IdentityVerifierTests.Fixture()
        guard case .failure(.noEvents) = fixture.verdict(try identity.token()) else {
            return #expect(Bool(false), "an identity token was taken for a notification")
        }
    }

    @Test func theAudienceIsReadBeforeAnythingIsBelieved() throws {
        let fixture = try Fixture()
        func audience(_ changes: [String: String], at now: Timestamp = Self.now) throws -> String? {
            NotificationVerifier.claimedAudience(of: try fixture.token(changes), at: now)
        }
        #expect(try audience([:]) == "app")
        #expect(try audience(["aud": "[\"web\"]"]) == "web")
        #expect(try audience(["aud": ""]) == nil)
        #expect(try audience(["events": ""]) == nil)
        #expect(try audience(["exp": "1"]) == nil)
        #expect(NotificationVerifier.claimedAudience(of: Array("a.b.c".utf8), at: Self.now) == nil)
        let token = try fixture.token()
        guard
            case .needsKey(let checked) = NotificationVerifier.precheck(
                token,
                providers: [IdentityVerifierTests.provider()],
                at: Self.now
            )
        else { return #expect(Bool(false)) }
        #expect(!"\(checked)".contains("user") && !"\(checked)".contains("app"))
    }
}
