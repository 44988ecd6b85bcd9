import ChilTestSupport
import Testing

extension EveryRouteTests {
    @Suite struct Sessions {
        @Test(arguments: ServiceForm.allCases)
        func aRefreshGivesNewTokens(_ form: ServiceForm) throws {
            let app = try EveryRouteTests.app(form)
            let answer = try app.service.send(App.refresh(app.tenant, app.refreshToken))
            #expect(answer.status == 200, "\(answer.text)")
            #expect(
                Set(try answer.members.keys) == [
                    "accessToken", "tokenType", "expiresIn", "refreshToken", "refreshExpiresIn",
                ]
            )
            var next = app
            next.accessToken = try answer.string("accessToken")
            next.refreshToken = try answer.string("refreshToken")
            #expect(next.accessToken != app.accessToken && next.refreshToken != app.refreshToken)
            #expect(try next.send("GET", "me").int("id") == app.userID)
            // An access token serves until it expires: only its session's end takes it away.
            #expect(try app.send("GET", "me").status == 200)
            #expect(try next.service.send(App.refresh(app.tenant, next.refreshToken)).status == 200)
        }

        /// Which of three sessions of one person is left, by scope: the caller's and the two others.
        @Test(
            arguments: ServiceForm.allCases,
            [
                (body: nil as String?, survivors: [false, true, true]),
                (body: "{}", survivors: [false, true, true]),
                (body: "{\"scope\":\"local\"}", survivors: [false, true, true]),
                (body: "{\"scope\":\"others\"}", survivors: [true, false, false]),
                (body: "{\"scope\":\"global\"}", survivors: [false, false, false]),
            ]
        )
        func aLogoutEndsWhatItsScopeSays(_ form: ServiceForm, _ row: (body: String?, survivors: [Bool])) throws {
            let bed = try TestBed.required
            let service = try bed.service(form)
            let subject = "logout-\(form.rawValue)-\(UInt32.random(in: 0...UInt32.max))"
            let apps = try (0..<3).map { _ in try App(service, .north, bed.issuer, subject: subject) }
            let stranger = try App(service, .north, bed.issuer)
            for app in apps { #expect(try app.send("GET", "me").status == 200) }
            let request =
                row.body.map { apps[0].request("POST", "auth/logout", json: $0) }
                ?? apps[0].request("POST", "auth/logout")
            for _ in 0..<2 {
                let answer = try service.send(request)
                #expect(answer.status == 204 && answer.body.isEmpty)
            }
            let status = row.survivors.map { $0 ? 200 : 401 }
            let isSo = try waitUntil(Promise.news) { try apps.map { try $0.send("GET", "me").status } == status }
            #expect(isSo)
            #expect(try apps.map { try service.send(App.refresh(.north, $0.refreshToken)).status } == status)
            #expect(try stranger.send("GET", "me").status == 200)
        }

        @Test(arguments: ServiceForm.allCases)
        func aLogoutOfNobodyIsDone(_ form: ServiceForm) throws {
            let service = try TestBed.required.service(form)
            #expect(try service.send(Request("POST", "/north/auth/logout")).status == 204)
            #expect(try service.send(Request("POST", "/north/auth/logout", bearer: "nothing")).status == 204)
        }
    }
}
