import ChilDatabase
import ChilStore
import Foundation
import Testing

/// What docs/children.md says of classes, days and methods is what the schema has.
@Suite struct ChildrenPageTests {
    private static func page() throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/children.md"), encoding: .utf8)
    }

    /// The first two cells of each row of the table under a heading; what stands between backticks in the first.
    private static func rows(under heading: String) throws -> [(words: [String], second: String)] {
        let table = try #require(try page().components(separatedBy: heading).dropFirst().first).drop { $0 == "\n" }
        return table.components(separatedBy: "\n").dropFirst().prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let pieces = cells[1].components(separatedBy: "`")
            return (stride(from: 1, to: pieces.count, by: 2).map { pieces[$0] }, cells[2])
        }
    }

    @Test("P-06 the page's days are the defaults") func daysAreTheDefaults() async throws {
        var documented: [String: Int32] = [:]
        for (words, days) in try Self.rows(under: "| class | days | counted from |") {
            for word in words { documented[word] = Int32(days) }
        }
        try await TestStore.with { store in
            let rules = try await RetentionList(of: TestTenant(store).id).rows(from: store.service)
            #expect(
                documented == Dictionary(uniqueKeysWithValues: rules.map { ($0.kind.rawValue, $0.days) })
                    as? [String: Int32]
            )
        }
    }

    @Test func everyMethodIsExplained() throws {
        let documented = try Self.rows(under: "| `method` | how it was made sure that a guardian agrees |").flatMap(
            \.words
        )
        #expect(documented == ConsentMethod.allCases.map(\.rawValue))
    }

    @Test func theRefusalIsNamed() throws {
        #expect(try Self.page().contains("403 `consent-required`"))
    }
}
