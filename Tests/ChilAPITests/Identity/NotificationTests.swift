import ChilAuth
import ChilCore
import ChilCrypto
import ChilTestSupport
import Foundation
import Testing

/// What a provider tells, over HTTP, to one tenant and to the shared address.
@Suite(.testBed(), .ownThread, .serialized)
struct NotificationTests {
    /// Where a notification is sent.
    enum Address: String, CaseIterable, CustomTestStringConvertible {
        case ofTenant, shared
        var testDescription: String { rawValue }

        func path(_ tenant: Tenant) -> String {
            self == .shared ? "/apple/notifications" : "/\(tenant.slug)/auth/apple/notifications"
        }
    }

    private static func event(_ type: String, _ subject: String) -> String {
        let now = Int(Date().timeIntervalSince1970 * 1_000)
        return #"{"type":"\#(type)","sub":"\#(subject)","event_time":\#(now)}"#
    }

    /// A notification's claims, to be changed before it is signed.
    private static func notification(_ bed: TestBed, _ tenant: Tenant, _ events: String) -> IdentityToken {
        var token = IdentityToken(bed.issuer, tenant)
        for name in ["sub", "email", "email_verified"] { token.claims[name] = nil }
        token.claims["events"] = events
        return token
    }

    private static func request(_ path: String, _ payload: String) -> Request {
        Request("POST", path, json: "{\"payload\":\"\(payload)\"}")
    }

    private static func text(_ events: String) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: events, options: .fragmentsAllowed), as: UTF8.self)
    }

    private static func events(_ bed: TestBed, _ tenant: Tenant) throws -> [String] {
        try bed.query(
            """
            select kind || ' ' || coalesce(outcome, 'waits') from provider_event join tenant using (tenant_id)
             where slug = '\(tenant.slug)' order by event_id
            """
        )
    }

    @Test("P-14 consent-revoked signs out on every device within a second of the answer", arguments: Address.allCases)
    func consentRevoked(_ address: Address) throws {
        let bed = try TestBed.required
        let (service, subject) = (try bed.service(), Planted.subject())
        let devices = try (0..<3).map { _ in try App(service, .north, bed.issuer, subject: subject) }
        let bystander = try App(service, .north, bed.issuer)
        let namesake = try App(service, .south, bed.issuer, subject: subject)
        let token = Self.notification(bed, .north, try Self.text(Self.event("consent-revoked", subject)))
        let answer = try service.send(Self.request(address.path(.north), try token.signed(bed.issuer.es256)))
        #expect(answer.status == 200, "\(answer.text)")
        let areOut = try waitUntil(Promise.news) { try devices.allSatisfy { try $0.send("GET", "me").status == 401 } }
        #expect(areOut)
        for device in devices {
            try expectProblem(try service.send(App.refresh(.north, device.refreshToken)), 401, "invalid-refresh-token")
        }
        #expect(try bystander.send("GET", "me").status == 200)
        #expect(try namesake.send("GET", "me").status == 200)
        // The account is there: the person may come back, and is the same.
        waitForNextSecond()
        #expect(try App(service, .north, bed.issuer, subject: subject).userID == devices[0].userID)
    }

    @Test(
        "P-14 account-delete deletes the account, in either spelling",
        arguments: Address.allCases,
        ["account-delete", "account-deleted"]
    )
    func accountDelete(_ address: Address, _ type: String) throws {
        let bed = try TestBed.required
        let (service, subject) = (try bed.service(), Planted.subject())
        let app = try App(service, .north, bed.issuer, subject: subject)
        let drawing = try app.makeDrawing()
        let namesake = try App(service, .south, bed.issuer, subject: subject)
        let token = try Self.notification(bed, .north, "[\(Self.event(type, subject))]").signed(bed.issuer.rs256)
        #expect(try service.send(Self.request(address.path(.north), token)).status == 200)
        #expect(try waitUntil(Promise.news) { try app.send("GET", "me").status == 401 })
        try expectProblem(try service.send(App.refresh(.north, app.refreshToken)), 401, "invalid-refresh-token")
        #expect(try namesake.send("GET", "me").status == 200)
        waitForNextSecond()
        let again = try App(service, .north, bed.issuer, subject: subject)
        #expect(again.userID != app.userID)
        #expect(try again.send("GET", "drawings/\(drawing)/image").status == 404)
        // Said again, it is no word about the new account: whatever is to be done about it is done by then.
        #expect(try service.send(Self.request(address.path(.north), token)).status == 200)
        let isDone = try waitUntil(.seconds(5)) {
            try bed.query(
                "select count(*) from work join tenant using (tenant_id) where kind = 'event' and slug = 'north'"
            ) == ["0"]
        }
        #expect(isDone)
        #expect(try again.send("GET", "me").status == 200)
    }

    @Test("P-14 the relay address is noted", arguments: ["email-disabled", "email-enabled"])
    func relay(_ type: String) throws {
        let bed = try TestBed.required
        let (service, subject) = (try bed.service(), Planted.subject())
        let app = try App(service, .north, bed.issuer, subject: subject)
        let events =
            Self.event(type, subject).dropLast() + #","email":"marker-4711@mail.test","is_private_email":"true"}"#
        let token = try Self.notification(bed, .north, String(events)).signed(bed.issuer.es256)
        #expect(try service.send(Self.request(Address.ofTenant.path(.north), token)).status == 200)
        let isNoted = try waitUntil(Promise.news) {
            try bed.query("select relay_enabled from identity where subject = '\(subject)' and user_id = \(app.userID)")
                == [type == "email-enabled" ? "t" : "f"]
        }
        #expect(isNoted)
        #expect(try app.send("GET", "me").status == 200)
        // The address itself is kept nowhere.
        #expect(try bed.query("select count(*) from provider_event e where e::text like '%marker-4711@%'") == ["0"])
        #expect(!service.program.text.contains("marker-4711@"))
    }

    @Test("P-14 duplicates are answered 200 and stored once", arguments: Address.allCases)
    func duplicates(_ address: Address) throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let tenant = Tenant(slug: "duplicates-\(address.rawValue.lowercased())")
        try bed.administration.add(tenant, bed.issuer)
        var token = Self.notification(
            bed,
            tenant,
            "[\(Self.event("consent-revoked", "a")),\(Self.event("consent-revoked", "a"))]"
        )
        let request = Self.request(address.path(tenant), try token.signed(bed.issuer.es256))
        let connections = try (0..<20).map { _ in try Connection(to: service.port) }
        #expect(Set(try inParallel(20) { try connections[$0].send(request).status }) == [200])
        // The provider's own second try: another moment, another signature, the same jti.
        token.claims["iat"] = "\(Int(Date().timeIntervalSince1970) - 30)"
        #expect(try service.send(Self.request(address.path(tenant), try token.signed(bed.issuer.es256))).status == 200)
        let isDone = try waitUntil(Promise.news) {
            try Self.events(bed, tenant) == ["consent-revoked nobody", "consent-revoked nobody"]
        }
        #expect(isDone)
        token.claims["jti"] = "\"another\""
        #expect(try service.send(Self.request(address.path(tenant), try token.signed(bed.issuer.es256))).status == 200)
        #expect(try Self.events(bed, tenant).count == 4)
    }

    @Test("P-14 a kind that is not known is answered 200 and kept for operators")
    func unknownKinds() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let tenant = Tenant(slug: "unknowns")
        try bed.administration.add(tenant, bed.issuer)
        for events in [Self.event("something-new", "person"), "\"no JSON\"", "7"] {
            let token = try Self.notification(bed, tenant, events).signed(bed.issuer.es256)
            #expect(try service.send(Self.request(Address.ofTenant.path(tenant), token)).status == 200)
        }
        #expect(
            try Self.events(bed, tenant)
                == ["something-new unknown kind", "unreadable unknown kind", "unreadable unknown kind"]
        )
        #expect(service.program.text.contains("provider event of an unknown kind"))
    }

    /// What is no notification of the tenant's.
    struct Bad: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable (TestBed, Tenant, _ subject: String) throws -> String
        var testDescription: String { name }

        static func claim(_ name: String, _ claim: String, _ value: String?) -> Bad {
            Bad(name: name) { bed, tenant, subject in
                var token = notification(bed, tenant, event("account-delete", subject))
                token.claims[claim] = value
                return try token.signed(bed.issuer.es256)
            }
        }

        static let all = [
            Bad(name: "garbage") { _, _, _ in "garbage" },
            Bad(name: "alg none") { bed, tenant, subject in
                notification(bed, tenant, event("account-delete", subject)).unsigned(
                    header: #"{"alg":"none","kid":"es-1"}"#
                )
            },
            Bad(name: "forged: another key under the kid") { bed, tenant, subject in
                let stranger = DevelopmentTokenMaker(keyID: "es-1", key: .es256(try ES256PrivateKey()))
                return try notification(bed, tenant, event("account-delete", subject)).signed(stranger)
            },
            Bad(name: "forged: an unknown kid") { bed, tenant, subject in
                let stranger = DevelopmentTokenMaker(keyID: "es-9", key: .es256(try ES256PrivateKey()))
                return try notification(bed, tenant, event("account-delete", subject)).signed(stranger)
            },
            Bad(name: "forged: claims swapped under a signature") { bed, tenant, subject in
                let parts = try [event("account-delete", subject), event("account-delete", "another")].map {
                    try notification(bed, tenant, $0).signed(bed.issuer.es256).split(separator: ".")
                }
                return "\(parts[0][0]).\(parts[0][1]).\(parts[1][2])"
            },
            claim("wrong aud", "aud", "\"test.nobody\""),
            claim("two audiences", "aud", "[\"test.north\",\"test.south\"]"),
            claim("no aud", "aud", nil), claim("wrong iss", "iss", "\"https://evil.example\""),
            claim("no iss", "iss", nil),
            claim("expired", "exp", "1"), claim("no exp", "exp", nil), claim("issued long ago", "iat", "1"),
            claim("no events", "events", nil), claim("jti is a number", "jti", "7"),
            Bad(name: "an identity token") { bed, tenant, subject in
                try IdentityToken(bed.issuer, tenant, subject: subject, nonce: "n").signed(bed.issuer.es256)
            },
        ]
    }

    @Test("P-14 what is forged or for others is one 400, and does nothing", arguments: Bad.all)
    func badNotifications(_ bad: Bad) throws {
        let bed = try TestBed.required
        let (service, subject) = (try bed.service(), Planted.subject())
        let app = try App(service, .north, bed.issuer, subject: subject)
        let payload = try bad.make(bed, .north, subject)
        for address in Address.allCases {
            let reference = try service.send(Self.request(address.path(.north), "nothing"))
            try expectProblem(reference, 400, "invalid-notification")
            #expect(try service.send(Self.request(address.path(.north), payload)).unvarying == reference.unvarying)
        }
        #expect(
            try bed.query("select count(*) from provider_event where subject in ('\(subject)', 'another')") == ["0"]
        )
        #expect(try app.send("GET", "me").status == 200)
    }

    /// The other tenant's, at one's own address: it is for its own tenant, and for no other.
    @Test func anotherTenantsNotificationIsRefusedHere() throws {
        let bed = try TestBed.required
        let (service, subject) = (try bed.service(), Planted.subject())
        let apps = try [Tenant.north, .south].map { try App(service, $0, bed.issuer, subject: subject) }
        let token = try Self.notification(bed, .south, Self.event("consent-revoked", subject)).signed(bed.issuer.es256)
        try expectProblem(
            try service.send(Self.request(Address.ofTenant.path(.north), token)),
            400,
            "invalid-notification"
        )
        #expect(try service.send(Self.request(Address.shared.path(.north), token)).status == 200)
        #expect(try waitUntil(Promise.news) { try apps[1].send("GET", "me").status == 401 })
        #expect(try apps[0].send("GET", "me").status == 200)
    }

    @Test("T-14 a notification is nobody's sign-in, whatever is in it")
    func aNotificationIsNoIdentityToken() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let nonce = try App.nonce(service, .north)
        var token = IdentityToken(bed.issuer, .north, nonce: nonce)
        token.claims["events"] = Self.event("consent-revoked", "somebody")
        let text = try token.signed(bed.issuer.es256)
        try expectProblem(try service.send(App.signIn(.north, text, nonce)), 401, "invalid-identity-token")
        token.claims["events"] = nil
        #expect(try service.send(App.signIn(.north, try token.signed(bed.issuer.es256), nonce)).status == 200)
    }

    /// Bodies as a stranger sends them.
    @Test(arguments: [
        ("", 400), ("{", 400), ("[]", 400), ("{}", 400), ("{\"payload\":7}", 400), ("{\"payload\":\"\"}", 400),
        ("{\"payload\":\"a\",\"payload\":\"b\"}", 400),
        ("{\"payload\":\"\(String(repeating: "a", count: 65_536))\"}", 413),
    ])
    func badBodies(_ body: String, _ status: Int) throws {
        let service = try TestBed.required.service()
        for address in Address.allCases {
            let answer = try service.send(Request("POST", address.path(.north), json: body))
            #expect(answer.status == status, "\(answer.text)")
        }
        try expectProblem(try service.send(Self.request("/nobody/auth/apple/notifications", "a")), 404, "not-found")
        #expect(try service.send(Request("GET", "/apple/notifications")).status == 405)
    }

    /// A provider is heard though the tenant is switched off: people have left.
    @Test func aSuspendedTenantHearsIt() throws {
        let bed = try TestBed.required
        let (service, subject) = (try bed.service(), Planted.subject())
        let tenant = Tenant(slug: "asleep")
        try bed.administration.add(tenant, bed.issuer)
        let app = try App(service, tenant, bed.issuer, subject: subject)
        try bed.administration.run("tenant suspend asleep")
        #expect(try waitUntil(Promise.news) { try app.send("GET", "me").status == 403 })
        let token = try Self.notification(bed, tenant, Self.event("account-delete", subject)).signed(bed.issuer.es256)
        #expect(try service.send(Self.request(Address.ofTenant.path(tenant), token)).status == 200)
        #expect(try waitUntil(Promise.news) { try Self.events(bed, tenant) == ["account-delete applied"] })
        try bed.administration.run("tenant resume asleep")
        #expect(try waitUntil(Promise.news) { try app.send("GET", "me").status == 401 })
    }

    /// Development client ids may be several tenants': each that the token is right for hears it.
    @Test func aSharedClientIDReachesAllItsTenants() throws {
        let bed = try TestBed.required
        let (service, subject) = (try bed.service(), Planted.subject())
        let tenants = ["twin-a", "twin-b"].map { Tenant(slug: $0) }
        for tenant in tenants {
            try bed.administration.create(tenant.slug)
            try bed.administration.run(
                "client add \(tenant.slug) --client-id test.twins --issuer \(bed.issuer.url) --development"
                    + " --jwks-url \(bed.issuer.url)/\(tenant.slug) --allow-private \(bed.issuer.authority)"
            )
        }
        func claims(_ token: IdentityToken) -> IdentityToken {
            var token = token
            token.claims["aud"] = "\"test.twins\""
            return token
        }
        let apps = try tenants.map { tenant in
            let nonce = try App.nonce(service, tenant)
            let token = claims(IdentityToken(bed.issuer, tenant, subject: subject, nonce: nonce))
            let answer = try service.send(App.signIn(tenant, try token.signed(bed.issuer.es256), nonce))
            try #require(answer.status == 200, "\(answer.text)")
            return try App(service, tenant, answer)
        }
        let token = claims(Self.notification(bed, tenants[0], Self.event("consent-revoked", subject)))
        #expect(
            try service.send(Self.request("/apple/notifications", try token.signed(bed.issuer.es256))).status == 200
        )
        #expect(try waitUntil(Promise.news) { try apps.allSatisfy { try $0.send("GET", "me").status == 401 } })
    }
}
