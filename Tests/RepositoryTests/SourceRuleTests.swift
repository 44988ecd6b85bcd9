import Foundation
import Testing

@Suite struct SourceRuleTests {
    /// What may stand in no source file, and why.
    static let forbidden = [
        ("try!", "a crash that input could reach"),
        ("fatalError(", "a crash that input could reach"),
        (" as! ", "a crash that input could reach"),
        ("TO" + "DO", "unfinished"),
        ("FIX" + "ME", "unfinished"),
        ("import Foundation\n", "it costs the service a third of its memory"),
    ]

    @Test(arguments: forbidden)
    func sourcesAreFreeOf(_ text: String, _ why: String) throws {
        for file in try Tree.swiftFiles(under: "Sources") {
            let content = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!content.contains(text), "\(Tree.name(of: file)): \(text) is \(why)")
        }
    }

    /// The thread sanitizer cannot follow the standard library's lock (see `Locked`), so its reports would be no proof.
    @Test(arguments: ["Sources", "Tests"])
    func locksAreThoseTheSanitizerSees(_ folder: String) throws {
        for file in try Tree.swiftFiles(under: folder) where !file.hasSuffix("/SourceRuleTests.swift") {
            let content = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!content.contains("Mutex" + "<") && !content.contains("Mutex" + "("), "\(Tree.name(of: file))")
        }
    }

    /// Whoever goes out goes this way, past the guard of addresses; libpq alone has another.
    @Test("A-15 there is one way out") func thereIsOneWayOut() throws {
        let doors = try Tree.swiftFiles(under: "Sources").filter { file in
            let content = try String(contentsOfFile: file, encoding: .utf8)
            return ["Glibc.connect(", " connect(descriptor", "URLSession"].contains {
                content.contains($0)
            }
        }
        #expect(doors.map { Tree.name(of: $0) }.sorted() == ["Sources/ChilLoop/Socket/ByteStream+Connect.swift"])
    }

    /// A pause is long enough on one machine and too short on another: tests wait until something is so (`waitUntil`). What pauses by
    /// itself is somebody's slowness, who is part of the test.
    @Test(arguments: ["usleep(", "Thread.sleep(", "Task.sleep("])
    func testsWaitForSomething(_ pause: String) throws {
        let slow = [
            "Patience.swift", "RawServer.swift", "ScriptedProvider.swift", "Connection.swift", "Load.swift",
            "Pace.swift", "LiveSignalTests.swift", "ServerTests.swift", "AccountTests.swift", "SourceRuleTests.swift",
        ]
        for file in try Tree.swiftFiles(under: "Tests") where !slow.contains(where: { file.hasSuffix("/\($0)") }) {
            let content = try String(contentsOfFile: file, encoding: .utf8)
            #expect(!content.contains(pause), "\(Tree.name(of: file)): \(pause)")
        }
    }

    /// Else it does not hold where all is slower: `Duration.seconds(3).patient`.
    @Test func boundsOfTimeArePatient() throws {
        for file in try Tree.swiftFiles(under: "Tests") where !file.hasSuffix("/SourceRuleTests.swift") {
            for (index, line) in try Tree.lines(of: file).enumerated() {
                let isBare = ["< .seconds(", "< .milliseconds("].contains { line.contains($0) }
                #expect(!isBare, "\(Tree.name(of: file)):\(index + 1)")
            }
        }
    }

    @Test func filesAreRooms() throws {
        for file in try Tree.swiftFiles(under: "Sources") {
            let lines = try Tree.lines(of: file).count
            #expect(lines <= 400, "\(Tree.name(of: file)) has \(lines) lines: two rooms in one")
            if file.hasSuffix("/main.swift") { #expect(lines <= 40, "\(Tree.name(of: file)) has \(lines) lines") }
        }
    }

    /// A function that lost its attribute is never run.
    @Test func everyTestIsMarked() throws {
        for file in try Tree.swiftFiles(under: "Tests") {
            let lines = try Tree.lines(of: file)
            for (index, line) in lines.enumerated() where line.contains("func test") && line.contains("()") {
                let before = lines[max(0, index - 3)...index].joined()
                #expect(before.contains("@Test"), "\(Tree.name(of: file)):\(index + 1)")
            }
        }
    }
}
