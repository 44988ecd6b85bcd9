import ChilTestSupport
import Foundation
import Testing

/// The catalogue's T-11: however a session ends, it is dead on every replica within a second, and after a restart.
@Suite(.testBed([]), .ownThread)
struct SessionEndTests {
    /// One way to end sessions, seen from a person with two devices.
    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        /// Whether the first and the second device are out.
        let ends: [Bool]
        /// What both answer then, the first device's token before all others.
        var status = 401
        let end: @Sendable (TestBed, [App]) throws -> Void
        var testDescription: String { name }

        static let all = [
            Way(name: "sign-out", ends: [true, false]) { _, apps in try expectDone(apps[0].send("POST", "auth/logout"))
            },
            Way(name: "sign-out of the others", ends: [false, true]) { _, apps in
                try expectDone(
                    apps[0].service.send(apps[0].request("POST", "auth/logout", json: "{\"scope\":\"others\"}"))
                )
            },
            Way(name: "sign-out everywhere", ends: [true, true]) { _, apps in
                try expectDone(
                    apps[0].service.send(apps[0].request("POST", "auth/logout", json: "{\"scope\":\"global\"}"))
                )
            },
            Way(name: "ended from the list", ends: [false, true]) { _, apps in
                try expectDone(apps[0].send("DELETE", "auth/sessions/\(try apps[1].sessionID)"))
            },
            Way(name: "by the operator, one device", ends: [true, false]) { bed, apps in
                try bed.administration.run("session revoke \(apps[0].tenant.slug) --session \(try apps[0].sessionID)")
            },
            Way(name: "by the operator, a person", ends: [true, true]) { bed, apps in
                try bed.administration.run("session revoke \(apps[0].tenant.slug) --user \(apps[0].userID)")
            },
            Way(name: "banned", ends: [true, true]) { bed, apps in
                try bed.administration.run("user ban \(apps[0].tenant.slug) \(apps[0].userID)")
            },
            Way(name: "the account is deleted", ends: [true, true]) { _, apps in
                let answer = try apps[0].send("DELETE", "me")
                #expect(answer.status == 202)
            },
            Way(name: "the account is deleted by the operator", ends: [true, true]) { bed, apps in
                try bed.administration.run(
                    "user delete \(apps[0].tenant.slug) \(apps[0].userID) --confirm=\(apps[0].tenant.slug)"
                )
            },
            Way(name: "the tenant is suspended", ends: [true, true], status: 403) { bed, apps in
                try bed.administration.run("tenant suspend \(apps[0].tenant.slug)")
            },
        ]

        private static func expectDone(_ answer: Answer) throws { #expect(answer.status == 204, "\(answer.text)") }
    }

    @Test("T-11 dead on every replica within a second, and after a restart", arguments: Way.all)
    func theEndIsHeardEverywhere(_ way: Way) throws {
        let bed = try TestBed.required
        let tenant = Tenant(slug: "end-\(Way.all.firstIndex { $0.name == way.name } ?? 0)")
        try bed.administration.add(tenant, bed.issuer)
        try bed.withReplicas(2) { replicas in
            let subject = Planted.subject()
            let devices = try (0..<2).map { _ in try App(replicas[0], tenant, bed.issuer, subject: subject) }
            let bystander = try App(replicas[1], .north, bed.issuer)
            // Several connections: every loop of both services has seen the tokens and keeps them.
            let places = try devices.map { device in
                try replicas.map { replica in (try (0..<6).map { _ in try Connection(to: replica.port) }, device) }
            }
            func statuses(_ device: Int) throws -> Set<Int> {
                try places[device].reduce(into: []) { found, place in
                    for connection in place.0 { found.insert(try connection.send(place.1.request("GET", "me")).status) }
                }
            }
            for device in 0..<2 { #expect(try statuses(device) == [200]) }
            try way.end(bed, devices)
            let ended = ContinuousClock.now
            // Refreshing is refused at once: it asks the database.
            for (device, isOut) in zip(devices, way.ends) where isOut && way.status == 401 {
                for replica in replicas {
                    try expectProblem(
                        try replica.send(App.refresh(tenant, device.refreshToken)),
                        401,
                        "invalid-refresh-token"
                    )
                }
            }
            let expected = way.ends.map { $0 ? way.status : 200 }
            let isSo = try waitUntil(Promise.news, since: ended) {
                try (0..<2).map { try statuses($0) } == expected.map { [$0] }
            }
            #expect(isSo)
            #expect(try bystander.status() == 200)
            // One that starts now has heard of nothing.
            // A loop is enough: all the rows' services together have but 63 slots for ids.
            let late = try bed.withReplicas(1, ["CHIL_LOOPS": "1"]) { late in
                try devices.map { try App(moving: $0, to: late[0]).status() }
            }
            #expect(late == expected)
            // Nothing brings it back.
            #expect(try (0..<2).map { try statuses($0) } == expected.map { [$0] })
        }
    }

    /// Whoever listens to nothing serves nobody by memory: a token is held against its session at each request.
    @Test func aSessionThatEndedBesideAllNewsIsFoundByTheNextCheck() throws {
        let bed = try TestBed.required
        try bed.withReplicas(1) { replicas in
            // On one connection, so on one loop, which has seen the token.
            let connection = try Connection(to: replicas[0].port)
            func status(_ app: App) throws -> Int { try connection.send(app.request("GET", "me")).status }
            // Ended, and nothing said: as if every notification of it was lost. A service that has just not heard its listener's
            // beat looks at the session, and finds out: then another is ended.
            var ended: App?
            let isServedByMemory = try waitUntil(.seconds(5)) {
                let app = try App(replicas[0], .north, bed.issuer)
                ended = app
                #expect(try status(app) == 200)
                try bed.query(
                    "update session set ended_at = now(), end_reason = 'operator' where session_id = \(try app.sessionID)"
                )
                return try status(app) == 200
            }
            let app = try #require(ended)
            #expect(isServedByMemory)
            // Then the listener's connection is lost.
            try bed.query(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = 'chil_service' and query in ('select pg_backend_pid()', 'listen chil')"
            )
            #expect(try waitUntil(Promise.news) { try status(app) == 401 })
        }
    }
}
