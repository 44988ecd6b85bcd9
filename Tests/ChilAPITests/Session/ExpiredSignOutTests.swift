import ChilCore
import Foundation
import Testing

/// Signing out with an access token whose ten minutes are over, as an app does that was away.
@Suite(.testBed([]), .ownThread)
struct ExpiredSignOutTests {
    private static let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))

    private static func logout(_ session: Answer, _ scope: String? = nil) throws -> Request {
        let token = try session.string("accessToken")
        guard let scope else { return Request("POST", "/north/auth/logout", bearer: token) }
        return Request("POST", "/north/auth/logout", bearer: token, json: "{\"scope\":\"\(scope)\"}")
    }

    private static func lives(_ session: Answer, _ service: StillService) throws -> Bool {
        try service.send(App.refresh(.north, try session.string("refreshToken"))).status == 200
    }

    /// Which of three sessions of one person live after the first one's sign-out, seven hundred seconds on.
    @Test(arguments: [
        (scope: nil as String?, survivors: [false, true, true]), (scope: "local", survivors: [false, true, true]),
        (scope: "others", survivors: [true, false, false]), (scope: "global", survivors: [false, false, false]),
    ])
    func anExpiredTokenSignsOut(_ scope: String?, _ survivors: [Bool]) async throws {
        let bed = try TestBed.required
        try await StillService.with(bed, at: Self.now) { service in
            let subject = "away-\(scope ?? "none")"
            let sessions = try (0..<3).map { _ in try service.signIn(.north, bed.issuer, subject: subject) }
            let stranger = try service.signIn(.north, bed.issuer, subject: "stranger of \(subject)")
            service.move(to: Self.now + .seconds(700))
            let bearer = try sessions[0].string("accessToken")
            try expectProblem(try service.send(Request("GET", "/north/me", bearer: bearer)), 401, "unauthorized")
            for _ in 0..<2 {
                let answer = try service.send(try Self.logout(sessions[0], scope))
                #expect(answer.status == 204 && answer.body.isEmpty)
            }
            #expect(try sessions.map { try Self.lives($0, service) } == survivors)
            #expect(try Self.lives(stranger, service))
        }
    }

    @Test(arguments: ["others", "global"])
    func aDeadSessionsExpiredTokenEndsNothing(_ scope: String) async throws {
        let bed = try TestBed.required
        try await StillService.with(bed, at: Self.now) { service in
            let sessions = try (0..<2).map { _ in try service.signIn(.north, bed.issuer, subject: "dead-\(scope)") }
            #expect(try service.send(try Self.logout(sessions[0])).status == 204)
            service.move(to: Self.now + .seconds(700))
            #expect(try service.send(try Self.logout(sessions[0], scope)).status == 204)
            #expect(try sessions.map { try Self.lives($0, service) } == [false, true])
        }
    }

    /// Neither one that was tampered with, nor another tenant's.
    @Test func whatWasNeverGoodEndsNothing() async throws {
        let bed = try TestBed.required
        try await StillService.with(bed, at: Self.now) { service in
            let session = try service.signIn(.north, bed.issuer, subject: "tampered")
            service.move(to: Self.now + .seconds(700))
            let token = try session.string("accessToken")
            let forged = token.dropLast(4) + (token.hasSuffix("AAAA") ? "BBBA" : "AAAA")
            #expect(try service.send(Request("POST", "/north/auth/logout", bearer: String(forged))).status == 204)
            #expect(try service.send(Request("POST", "/south/auth/logout", bearer: token)).status == 204)
            #expect(try Self.lives(session, service))
        }
    }
}
