import Foundation
import Testing

@testable import ChilAdmin

/// What the pages tell an operator to type is understood.
@Suite struct DocumentedCommandTests {
    static let pages = [
        "README.md", "docs/sign-in.md", "docs/accounts.md", "docs/sessions.md", "docs/limits.md", "docs/audit.md",
        "docs/webhooks.md", "docs/quotas.md", "docs/children.md", "docs/growing.md", "docs/generation.md",
        "docs/scanning.md", "docs/first-app.md", "docs/images.md", "docs/motion.md", "docs/epson.md",
        "docs/printing.md", "docs/operating.md", "docs/console.md", "docs/chiladmin.md",
    ]

    /// The command lines of a page's shell blocks, without comments and what the shell does with them.
    private func lines(of page: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
        let blocks = text.components(separatedBy: "```sh\n").dropFirst().map {
            $0.components(separatedBy: "```")[0].replacingOccurrences(of: "\\\n", with: " ")
        }
        return blocks.flatMap { $0.components(separatedBy: "\n") }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("chiladmin ") }
            .map { line in
                var line = line
                for mark in [" # ", " &", " | ", " > "] { line = line.components(separatedBy: mark)[0] }
                return line.trimmingCharacters(in: .whitespaces)
            }
    }

    /// Scripts rely on the members of an answer: the page has all of each command's, in their order.
    @Test func membersAreDocumented() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("docs/chiladmin.md"), encoding: .utf8)
        let lines = text.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
        let wanted = CommandTable.standard.commands.filter { !$0.output.fields.isEmpty }.map { entry in
            "| `\(entry.guide.name)` | `\(entry.output.name)` | \(entry.output.fields.joined(separator: ", ")) |"
        }
        for line in wanted { #expect(lines.contains(line), "\(line)") }
        #expect(lines.count == wanted.count)
    }

    @Test(arguments: pages)
    func isUnderstood(_ page: String) throws {
        let lines = try lines(of: page)
        #expect(lines.count >= 5)
        for line in lines {
            let words = line.components(separatedBy: " ").dropFirst().filter { !$0.isEmpty }
                .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
            #expect(throws: Never.self, "\(line)") { try Invocation(words, table: .standard) }
        }
    }
}
