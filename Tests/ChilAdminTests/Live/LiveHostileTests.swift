import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// What an operator could be made to type or paste, and who is no operator.
@Suite struct LiveHostileTests {
    private static let shapes = [
        "--", "-", "--help=1", "a\nb", "a\u{0}b", "'; drop table tenant; --", "$(id)", "`id`", "%s%n", "\\x00",
    ]

    @Test("A-12 hostile names are refused, or kept and shown as they are; nothing of them is carried out")
    func namesAreNames() async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        var kept: [String: String] = [:]
        func slugOf(_ number: Int) -> String { "t\(number)" }
        // These two ask for help or the version, wherever they stand.
        let texts = (try naughtyStrings() + Self.shapes).filter { !["--help", "--version"].contains($0) }
        for (number, text) in texts.enumerated() {
            // A slug is never one of them.
            let slug = await live.run(["tenant", "create", text])
            let isSlug = text.wholeMatch(of: /[a-z0-9][a-z0-9-]*/) != nil
            #expect(slug.status != .success || isSlug, "\(text.debugDescription)")
            let printer = await live.run(["printer", "remove", "chillin", "--name", text])
            #expect(printer.status != .success, "\(text.debugDescription)")
            // A name may be any text that people can read.
            let named = await live.run(["tenant", "create", slugOf(number), "--name", text])
            guard named.status == .success else {
                #expect(
                    named.status == .usage || named.status == .dataRefused,
                    "\(text.debugDescription): \(named.err)"
                )
                continue
            }
            kept[slugOf(number)] = text
        }
        #expect(kept.count > 100)
        let listed = await live.run("tenant list -o json")
        let rows = try JSONSerialization.jsonObject(with: Data(listed.out.utf8)) as? [[String: Any]] ?? []
        for row in rows {
            guard let slug = row["slug"] as? String, let text = kept.removeValue(forKey: slug) else { continue }
            #expect(row["name"] as? String == text, "\(slug)")
        }
        #expect(kept.isEmpty)
        try await live.remove()
    }

    @Test("A-12 a role that is no operator's can do nothing, and says which is needed", arguments: ["chil_service"])
    func theServicesRoleDoesNotOperate(_ role: String) async throws {
        let live = try await LiveDatabase()
        #expect(await live.run("migrate", as: nil).status == .success)
        #expect(await live.run("tenant create chillin").status == .success)
        for line in [
            "tenant create other", "tenant suspend chillin", "quota set chillin drawings 1",
            "limit set chillin user read 1",
            "audit list chillin", "printer remove chillin --name a", "tenant delete chillin --confirm chillin --now",
        ] {
            let run = await live.run(line, as: role)
            #expect(run.status != .success, "\(line): \(run.out)")
            #expect(!run.err.isEmpty && !run.err.contains("42501"), "\(line): \(run.err)")
        }
        let listed = await live.run("tenant list -o json")
        #expect(listed.out.components(separatedBy: "\"slug\"").count == 2 && listed.out.contains("active"))
        try await live.remove()
    }
}
