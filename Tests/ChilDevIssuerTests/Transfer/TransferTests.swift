import ChilCore
import ChilHTTP
import Testing

@testable import ChilDevIssuer

@Suite struct TransferTests {
    private let other: Team
    private let bench: Bench

    init() throws {
        let other = try Team("TEAM000002", keyID: "KEY0000002")
        self.other = other
        bench = try Bench { $0.teams.append(other.known) }
    }

    private func form(_ team: Team, _ more: [String: String]) throws -> [String: String] {
        ["client_id": "app.one", "client_secret": try team.secret("app.one", at: bench.now)].merging(more) { $1 }
    }

    private func bearer(_ team: Team) throws -> String {
        let form = try form(team, ["grant_type": "client_credentials", "scope": "user.migration"])
        return try #require(try bench.post(.token, form)["access_token"]?.string)
    }

    @Test func aUserGoesFromTeamToTeam() throws {
        let sender = try bearer(bench.team)
        let ask = try form(bench.team, ["sub": "ann", "target": other.id])
        let identifier = try #require(try bench.post(.migration, ask, bearer: sender)["transfer_sub"]?.string)
        #expect(try bench.post(.migration, ask, bearer: sender)["transfer_sub"]?.string == identifier)

        let taken = try form(other, ["transfer_sub": identifier])
        let user = try bench.post(.migration, taken, bearer: try bearer(other))
        let subject = try #require(user["sub"]?.string)
        #expect(subject != "ann")
        #expect(user["email"]?.string?.hasSuffix("@privaterelay.example.com") == true)
        #expect(user["is_private_email"] == .bool(true))

        let draft = AuthorizationDraft(clientID: "app.one", subject: subject)
        let claims = try bench.claims(bench.issuer.authorize(draft, at: bench.now).identityToken)
        #expect(claims["transfer_sub"]?.string == identifier)
        let later = bench.now + .seconds(60 * 86_400)
        #expect(try bench.claims(bench.issuer.authorize(draft, at: later).identityToken)["transfer_sub"] == nil)
    }

    @Test func onlyTheReceivingTeamTakes() throws {
        let identifier = bench.issuer.beginTransfer(of: "ann", from: bench.team.id, to: other.id, at: bench.now)
        let ask = try form(bench.team, ["transfer_sub": identifier])
        let answer = try bench.post(.migration, ask, bearer: try bearer(bench.team))
        #expect(answer.error == "invalid_request")
        #expect(answer.reason == "transfer_sub is none for this team, or its 60 days are over.")
    }

    @Test func aTokenOfTheScopeIsNeeded() throws {
        let ask = try form(bench.team, ["sub": "ann", "target": other.id])
        #expect(try bench.post(.migration, ask).error == "invalid_client")
        #expect(try bench.post(.migration, ask, bearer: "made-up").error == "invalid_client")
        let wrong = try form(bench.team, ["grant_type": "client_credentials", "scope": "name"])
        #expect(try bench.post(.token, wrong).error == "invalid_scope")
        let token = try bearer(bench.team)
        bench.now = Bench.start + .seconds(3_600)
        #expect(
            try bench.post(.migration, form(bench.team, ["sub": "ann", "target": other.id]), bearer: token).error
                == "invalid_client"
        )
    }

    @Test(arguments: [["target": "TEAM000002"], ["sub": "ann"], ["sub": "ann", "target": "TEAM000001"]])
    func incompleteQuestionsAreRefused(_ fields: [String: String]) throws {
        let answer = try bench.post(.migration, form(bench.team, fields), bearer: try bearer(bench.team))
        #expect(answer.status == .badRequest)
        #expect(answer.error == "invalid_request")
    }
}
