import ChilTestSupport
import Testing

/// The same thing sent again, or by many at once.
@Suite(.testBed(), .ownThread)
struct ReplayTests {
    private static let crowd = 20

    private func app(subject: String? = nil) throws -> App {
        let bed = try TestBed.required
        return try App(
            try bed.service(),
            .north,
            bed.issuer,
            subject: subject ?? "replay-\(UInt64.random(in: 0...UInt64.max))"
        )
    }

    /// The same request on many connections, spread over the loops, at once.
    private func sendByAll(_ request: Request, crowd: Int = crowd) throws -> [Answer] {
        let port = try TestBed.required.service().port
        let connections = try (0..<crowd).map { _ in try Connection(to: port) }
        return try inParallel(crowd) { try connections[$0].send(request) }
    }

    @Test("J-16 of a hundred sign-ins with one token at once, one is taken")
    func ofAHundredSignInsWithOneTokenOneIsTaken() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let nonce = try App.nonce(service, .north)
        let token = try IdentityToken(bed.issuer, .north, nonce: nonce).signed(bed.issuer.es256)
        let answers = try sendByAll(App.signIn(.north, token, nonce), crowd: 100)
        #expect(answers.count == 100)
        #expect(answers.count { $0.status == 200 } == 1)
        for answer in answers where answer.status != 200 { try expectProblem(answer, 401, "invalid-identity-token") }
    }

    /// A new person who signs in on many devices at once is one person.
    @Test func twentyTokensOfOneNewPersonMakeOneUser() throws {
        let bed = try TestBed.required
        let service = try bed.service()
        let requests = try (0..<Self.crowd).map { _ in
            let nonce = try App.nonce(service, .south)
            return App.signIn(
                .south,
                try IdentityToken(bed.issuer, .south, subject: "crowd", nonce: nonce).signed(bed.issuer.rs256),
                nonce
            )
        }
        let connections = try requests.map { _ in try Connection(to: service.port) }
        let answers = try inParallel(Self.crowd) { try connections[$0].send(requests[$0]) }
        #expect(Set(answers.map(\.status)) == [200])
        #expect(Set(try answers.map { try App(service, .south, $0).userID }).count == 1)
        #expect(try answers.count { try $0.members["isNewUser"] as? Bool == true } == 1)
    }

    /// Lost answers and two tabs are served: all get the same child.
    @Test func twentyRefreshesOfOneTokenGiveOneChild() throws {
        let app = try app()
        let answers = try sendByAll(App.refresh(.north, app.refreshToken))
        #expect(Set(answers.map(\.status)) == [200])
        let children = Set(try answers.map { try $0.string("refreshToken") })
        #expect(children.count == 1)
        #expect(children.first != app.refreshToken)
        for answer in answers {
            let request = Request("GET", "/north/me", bearer: try answer.string("accessToken"))
            #expect(try app.service.send(request).status == 200)
        }
        // The parent still gives the same child, its child in use or not.
        #expect(try app.service.send(App.refresh(.north, app.refreshToken)).string("refreshToken") == children.first)
    }

    /// Two generations back: thief or victim, one of them is told by the end of the session.
    @Test(arguments: ["a refresh", "an access token"])
    func aTokenTwoGenerationsBackEndsTheSession(_ use: String) throws {
        let app = try app(subject: "thief-\(use)")
        let bystander = try self.app(subject: "thief-\(use)")
        let first = try app.service.send(App.refresh(.north, app.refreshToken))
        let second = try app.service.send(App.refresh(.north, try first.string("refreshToken")))
        let newest = try second.string("refreshToken")
        let access = Request("GET", "/north/me", bearer: try second.string("accessToken"))
        if use == "an access token" { #expect(try app.service.send(access).status == 200) }
        try expectProblem(try app.service.send(App.refresh(.north, app.refreshToken)), 401, "invalid-refresh-token")
        try expectProblem(try app.service.send(App.refresh(.north, newest)), 401, "invalid-refresh-token")
        #expect(try waitUntil(Promise.news) { try app.service.send(access).status == 401 })
        #expect(try waitUntil(Promise.news) { try app.send("GET", "me").status == 401 })
        #expect(try bystander.send("GET", "me").status == 200)
    }

    /// What is no refresh token of this tenant is refused in one form.
    @Test func aBadRefreshTokenIsRefused() throws {
        let app = try app()
        let token = app.refreshToken
        let rows = [
            "", "garbage", "chl_rt_", "chl_rt_AAAA", String(token.dropLast()), token + "A", token.uppercased(),
            String(token.dropLast(2)) + (token.hasSuffix("AA") ? "BB" : "AA"), app.accessToken,
            String(repeating: "a", count: 512),
        ]
        let reference = try app.service.send(App.refresh(.north, "nothing"))
        for row in rows where !row.isEmpty {
            let answer = try app.service.send(App.refresh(.north, row))
            if row.utf8.count > 512 {
                try expectProblem(answer, 422, "invalid-fields", pointer: "/refreshToken")
            } else {
                try expectProblem(answer, 401, "invalid-refresh-token")
                #expect(answer.unvarying == reference.unvarying, "\(row)")
            }
        }
        #expect(try app.service.send(App.refresh(.south, token)).unvarying == reference.unvarying, "another tenant's")
        #expect(try app.service.send(App.refresh(.north, token)).status == 200)
    }

    /// Every loop knows the token, and every loop hears of its end.
    @Test(arguments: ["{\"scope\":\"local\"}", "{\"scope\":\"global\"}"])
    func anAccessTokenIsDeadOnEveryLoopWithinASecondOfTheLogout(_ body: String) throws {
        let app = try app()
        let connections = try (0..<8).map { _ in try Connection(to: app.service.port) }
        for connection in connections { #expect(try connection.send(app.request("GET", "me")).status == 200) }
        #expect(try connections[0].send(app.request("POST", "auth/logout", json: body)).status == 204)
        // The loop that was told forgets at once.
        #expect(try connections[0].send(app.request("GET", "me")).status == 401)
        let isDead = try waitUntil(Promise.news) {
            try connections.allSatisfy { try $0.send(app.request("GET", "me")).status == 401 }
        }
        #expect(isDead)
        // And stays so.
        for connection in connections + connections {
            try expectProblem(try connection.send(app.request("GET", "me")), 401, "unauthorized")
        }
    }

    /// Twenty deletes of one drawing: one does it.
    @Test func ofTwentyDeletesOneIsDone() throws {
        let app = try app()
        let drawing = try app.makeDrawing()
        let answers = try sendByAll(app.request("DELETE", "drawings/\(drawing)"))
        #expect(answers.count { $0.status == 204 } == 1)
        for answer in answers where answer.status != 204 { try expectProblem(answer, 404, "not-found") }
    }

    /// The same large image by many at once: all of them own it, and its bytes are whole.
    @Test func twentyUploadsOfOneImageAreTwentyDrawings() throws {
        let app = try app()
        let image = Picture.jpeg(bytesMin: 600_000)
        let answers = try sendByAll(app.upload(image, type: "image/jpeg"))
        #expect(Set(answers.map(\.status)) == [201], "\(answers.first { $0.status != 201 }?.text ?? "")")
        let ids = Set(try answers.map { try $0.int("drawingId") })
        #expect(ids.count == Self.crowd)
        for id in ids.prefix(2) { #expect(try app.send("GET", "drawings/\(id)/image").body == image) }
    }
}
