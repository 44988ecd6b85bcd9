import ChilAuth
import ChilCore
import ChilCrypto
import Foundation
import Testing

extension EveryRouteTests {
    @Suite struct SignIn {
        @Test(arguments: ServiceForm.allCases)
        func aNonceIsFreshAndLivesTenMinutes(_ form: ServiceForm) throws {
            let service = try TestBed.required.service(form)
            let answers = try (0..<2).map { _ in try service.send(Request("POST", "/north/auth/nonce")) }
            #expect(answers.map(\.status) == [201, 201])
            #expect(try answers[0].string("nonce") != answers[1].string("nonce"))
            let text = try answers[0].string("expiresAt")
            let expires = try #require(ISO8601DateFormatter.withFraction.date(from: text))
            #expect(abs(expires.timeIntervalSinceNow - 600) < 30)
            #expect(answers[0]["Cache-Control"] == "no-store")
        }

        @Test(arguments: ServiceForm.allCases, ["ES256", "RS256"])
        func aTokenOfEitherAlgorithmSignsIn(_ form: ServiceForm, _ algorithm: String) throws {
            let bed = try TestBed.required
            let service = try bed.service(form)
            let maker = algorithm == "ES256" ? bed.issuer.es256 : bed.issuer.rs256
            let subject = Planted.subject()
            for isNew in [true, false] {
                let nonce = try App.nonce(service, .north)
                let token = try IdentityToken(bed.issuer, .north, subject: subject, nonce: nonce).signed(maker)
                let answer = try service.send(
                    Request(
                        "POST",
                        "/north/auth/apple",
                        json: """
                            {"identityToken":"\(token)","nonce":"\(nonce)","userID":"\(subject)","authorizationCode":"c",\
                            "givenName":"하나","familyName":null,"deviceName":"phone"}
                            """
                    )
                )
                #expect(answer.status == 200, "\(answer.text)")
                #expect(try answer.members["isNewUser"] as? Bool == isNew)
                #expect(try answer.string("tokenType") == "Bearer")
                #expect((570...600).contains(try answer.int("expiresIn")))
                #expect(try answer.int("refreshExpiresIn") == 30 * 86_400)
                let user = try #require(try answer.members["user"] as? [String: Any])
                #expect(user["email"] as? String == "\(subject)@mail.test")
                #expect(user["emailVerified"] as? Bool == true)
                #expect(user["givenName"] as? String == "하나")
            }
        }

        @Test(arguments: ServiceForm.allCases)
        func meIsWhoSignedIn(_ form: ServiceForm) throws {
            let app = try EveryRouteTests.app(form)
            let answer = try app.send("GET", "me")
            #expect(answer.status == 200)
            #expect(try answer.int("id") == app.userID)
            #expect(Set(try answer.members.keys) == ["id", "email", "emailVerified", "createdAt"])
        }

        /// Whoever reads the published keys can check an access token.
        @Test(arguments: ServiceForm.allCases, [Tenant.north, .south])
        func thePublishedKeyVerifiesAccessTokens(_ form: ServiceForm, _ tenant: Tenant) throws {
            let app = try EveryRouteTests.app(form, tenant)
            let request = Request("GET", "/\(tenant.slug)/.well-known/jwks.json")
            let answer = try app.service.send(request)
            #expect(answer.status == 200)
            #expect(answer["Cache-Control"] == "public, max-age=300")
            let keys = try JWKSet(parsing: answer.body).keys
            let verifier = AccessTokenVerifier(
                issuer: "\(Service.publicURL)/\(tenant.slug)",
                audience: try #require(Slug(tenant.slug)),
                keys: keys
            )
            let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
            guard case .accepted(let access) = verifier.verdict(on: Array(app.accessToken.utf8), at: now) else {
                Issue.record("the published keys do not verify the access token")
                return
            }
            #expect(access.userID.rawValue == Int64(app.userID))
            let tag = try #require(answer["ETag"])
            let again = try app.service.send(request.adding("If-None-Match", tag))
            #expect(again.status == 304 && again.body.isEmpty)
        }
    }
}

extension ISO8601DateFormatter {
    static var withFraction: ISO8601DateFormatter {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return formatter
    }
}
