import ChilDatabase
import ChilLoop
import ChilStore
import Testing

@testable import ChilAPI
@testable import ChilHTTP

/// A database that nobody has opened.
enum DatabaseProbe {
    static func closed(on loop: EventLoop) -> DatabaseClient {
        DatabaseClient(DatabaseConfiguration(url: "postgresql://127.0.0.1:1/none"), on: loop)
    }
}

@Suite struct RateFieldTests {
    private func value(of field: PreparedField) -> String {
        let line = String(decoding: field.bytes, as: UTF8.self)
        #expect(line.hasPrefix("RateLimit-Policy: ") && line.hasSuffix("\r\n"))
        return String(line.dropFirst("RateLimit-Policy: ".count).dropLast())
    }

    @Test func policiesAreListsOfStringsWithParameters() {
        let standard = TenantRates.of([])
        #expect(
            value(of: standard.policy(.read, isSignedIn: true))
                == #""read-address";q=6000;w=60, "read-tenant";q=120000;w=60, "read-user";q=1200;w=60"#
        )
        #expect(
            value(of: standard.policy(.auth, isSignedIn: false))
                == #""auth-address";q=300;w=60, "auth-tenant";q=12000;w=60"#
        )
        #expect(TenantRates.of([]) === TenantRates.standard)
    }

    @Test func aTenantsOwnRuleStandsInPlaceOfTheDefault() {
        let own = TenantRates.of([RateLimitRecord(.user, .print, RateRule(quota: 7, window: 3_600))])
        for kind in RateClass.allCases {
            for scope in RateScope.allCases {
                let expected =
                    scope == .user && kind == .print
                    ? RateRule(quota: 7, window: 3_600) : RateDefaults.rule(scope, kind)
                #expect(own.rule(scope, kind) == expected)
            }
        }
        #expect(
            value(of: own.policy(.print, isSignedIn: true)).hasSuffix(#""print-user";q=7;w=3600"#)
        )
    }

    @Test(arguments: [(0, 1, #""write-user";r=0;t=1"#), (1_000_000_000, 86_400, #""write-user";r=1000000000;t=86400"#)])
    func whatIsLeftIsWritten(_ remaining: Int64, _ seconds: Int64, _ expected: String) {
        let field = RateField.withLimit(RateField.Name(.user, .write), remaining: remaining, seconds: seconds) {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(field == expected)
    }

    /// A new route that changes something is not counted as a read, and none but those that are about the process alone is left out.
    @Test(arguments: Route.allCases)
    func everyRouteIsCounted(_ route: Route) {
        let pattern = "\(route.pattern)"
        if [.health, .ready, .openAPI].contains(route) {
            #expect(route.rateClass == nil)
        } else if pattern.hasPrefix("GET ") {
            #expect(route.rateClass == .read || pattern.contains("/auth/"), "\(pattern)")
        } else {
            #expect(route.rateClass != nil && route.rateClass != .read, "\(pattern)")
        }
    }

    /// An address is at least as much as a user, and a tenant as an address: a family behind one router is served.
    @Test(arguments: RateClass.allCases)
    func theDefaultsAgree(_ kind: RateClass) {
        let rules = [RateScope.user, .address, .tenant].map { RateDefaults.rule($0, kind) }
        #expect(Set(rules.map(\.window)) == [60])
        #expect(rules[0].quota < rules[1].quota && rules[1].quota < rules[2].quota)
    }
}
