import Foundation
import Testing

@testable import ChilAPI

/// What docs/sign-in.md says of errors is what the service can say.
@Suite struct DocumentedProblemTests {
    /// The codes of the table in "What each error means".
    private func documented() throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/sign-in.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "## 8. ").dropFirst().first)
        return section.components(separatedBy: "\n## ")[0].components(separatedBy: "\n")
            .filter { $0.hasPrefix("| 4") || $0.hasPrefix("| 5") }
            .flatMap { $0.components(separatedBy: "|")[1].components(separatedBy: "`").enumerated() }
            .filter { $0.offset % 2 == 1 }
            .map(\.element)
    }

    @Test func everyCodeThatIsExplainedExists() throws {
        for code in try documented() { #expect(Problem.Code(rawValue: code) != nil, "\(code)") }
    }

    @Test func everyCodeOfSigningInIsExplained() throws {
        let documented = Set(try documented())
        let codes: [Problem.Code] = [
            .invalidIdentityToken, .invalidAuthorizationCode, .invalidRefreshToken, .unauthorized, .userBanned,
            .tenantSuspended, .quotaExceeded, .invalidFields, .noIdentityProvider, .identityProviderMisconfigured,
            .identityProviderAway, .invalidNotification, .preconditionRequired, .preconditionFailed, .exportRunning,
            .databaseAway, .overloaded, .outcomeUnknown,
        ]
        for code in codes { #expect(documented.contains(code.rawValue), "\(code.rawValue)") }
    }
}
