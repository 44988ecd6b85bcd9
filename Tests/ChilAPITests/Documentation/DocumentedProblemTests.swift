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
        var codes: [String] = []
        for line in section.components(separatedBy: "\n## ")[0].components(separatedBy: "\n") {
            guard line.hasPrefix("| 4") || line.hasPrefix("| 5") else { continue }
            let cell: String = line.components(separatedBy: "|")[1]
            // Every second piece stands between backticks.
            for (place, piece) in cell.components(separatedBy: "`").enumerated() where place % 2 == 1 {
                codes.append(piece)
            }
        }
        return codes
    }

    private static let ofDrawingsAndPrints: Set<Problem.Code> = [
        .invalidImage, .rangeNotSatisfiable, .noPrinter, .invalidIdempotencyKey, .idempotencyKeyReused,
        .idempotencyKeyRunning, .consentRequired, .wishRefused, .pictureUnusable, .noPictureService,
        .pictureServicesAway, .imageStoreAway, .tooManyListeners, .noCharacter, .ambiguousCharacter, .unsupportedImage,
        .backendUnavailable, .motionTimeout, .printJobRunning, .printJobOver,
    ]

    @Test func everyCodeThatIsExplainedExists() throws {
        for code in try documented() { #expect(Problem.Code(rawValue: code) != nil, "\(code)") }
    }

    @Test func everyCodeOfSigningInIsExplained() throws {
        let documented = Set(try documented())
        let codes = Problem.Code.allCases.filter { !Self.ofDrawingsAndPrints.contains($0) }
        for code in codes { #expect(documented.contains(code.rawValue), "\(code.rawValue)") }
    }
}
