import ChilCore
import ChilStore
import Testing

@testable import ChilAPI

@Suite struct AnnouncementTests {
    private static let (tenant, other) = (TenantID(rawValue: 7), TenantID(rawValue: 9_007_199_254_740_991))

    private static func person(_ tenant: TenantID, _ user: Int64) -> Person {
        Person(tenant: tenant, user: UserID(rawValue: user))
    }

    @Test(
        arguments: [
            ("tenant 7", .change(.tenant(tenant))),
            ("session 7 12", .change(.session(SessionID(rawValue: 12), of: tenant))),
            ("user 9007199254740991 1", .change(.user(UserID(rawValue: 1), in: other))),
            ("work", .work),
            ("drawing 7 5", .drawing(DrawingBells.Place(tenant: tenant, drawing: DrawingID(rawValue: 5)))),
            ("live", .change(.allEvents)),
            ("live 7 1", .change(.events(of: [person(tenant, 1)]))),
            ("live 7 1 9007199254740991 1 7 1", .change(.events(of: [person(tenant, 1), person(other, 1)]))),
            // Of a newer release, or of somebody else.
            ("", nil), (" ", nil), ("liver", nil), ("lives 7 1", nil), ("tenant", nil), ("tenant ", nil),
            ("tenant 7 8", nil),
            ("tenant  7", nil), ("tenant 7 ", nil), ("tenant -7", nil), ("tenant +7", nil), ("tenant x", nil),
            ("tenant 7x", nil),
            ("session 7", nil), ("user 7 1 2", nil), ("work 1", nil), ("live 7", nil), ("live 7 1 8", nil),
            ("live  7 1", nil),
            ("drawing 7", nil), ("Tenant 7", nil), ("tenant 99999999999999999999", nil), ("tenant\u{0}7", nil),
            ("지우 7", nil),
        ] as [(String, Announcement?)]
    )
    func payloads(_ payload: String, _ expected: Announcement?) {
        #expect(Announcement(payload) == expected)
    }
}
