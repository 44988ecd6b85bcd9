import Foundation
import Testing

/// docs/api.md is what the document says.
@Suite struct APIPageTests {
    @Test func thePageIsMadeFromTheDocument() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("docs/api.md")
        let made = APIPage(.current).text
        if ProcessInfo.processInfo.environment["UPDATE_PAGES"] == "1" {
            try made.write(to: file, atomically: true, encoding: .utf8)
        }
        let page = try String(contentsOf: file, encoding: .utf8)
        #expect(page == made, "UPDATE_PAGES=1 scripts/test --filter APIPageTests writes it anew")
    }
}
