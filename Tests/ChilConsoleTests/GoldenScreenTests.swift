import ChilCore
import Foundation
import Testing

@testable import ChilConsole

/// What stands on the screen, held against files. `UPDATE_PAGES=1` writes them anew: then they are to be looked at.
@Suite struct GoldenScreenTests {
    struct Golden: Sendable, CustomTestStringConvertible {
        let name: String
        let make: @Sendable () -> ConsoleModel

        var testDescription: String { name }

        init(
            _ name: String,
            _ model: ConsoleModel = Sample.model(),
            _ drive: @escaping @Sendable (inout Driver) -> Void
        ) {
            self.name = name
            make = {
                var driver = Driver(model)
                drive(&driver)
                return driver.model
            }
        }
    }

    static let all: [Golden] = [
        Golden("asking") { _ in },
        Golden("overview") { $0.answer(Sample.tenants) },
        Golden("overview-wide", Sample.model(200, 50)) { $0.answer(Sample.tenants) },
        Golden("overview-small", Sample.model(40, 10)) { $0.answer(Sample.tenants) },
        Golden("overview-ascii", Sample.model(80, 24, Sample.plain)) { $0.answer(Sample.tenants) },
        Golden("overview-resized") {
            $0.answer(Sample.tenants)
            $0.send(.resized(ScreenSize(100, 30)))
            $0.answer(Sample.tenants)
        },
        Golden("context", Sample.model(isReadOnly: true, context: Sample.production)) { $0.answer(Sample.tenants) },
        Golden("context-small-ascii", Sample.model(40, 10, Sample.plain, context: Sample.production)) {
            $0.answer(Sample.tenants)
        },
        Golden("too-small", Sample.model(39, 9)) { $0.answer(Sample.tenants) },
        Golden("users") {
            $0.answer(Sample.tenants)
            $0.press(.down, .enter)
            $0.answer(Sample.users)
        },
        Golden("users-marked") {
            $0.answer(Sample.tenants)
            $0.press(.down, .enter)
            $0.answer(Sample.users)
            $0.press(.text(" "))
        },
        Golden("printers", Sample.model(120, 24)) {
            $0.answer(Sample.tenants)
            $0.press(.down, .text("4"))
            $0.answer(Sample.printers)
        },
        Golden("printers-ascii", Sample.model(80, 24, Sample.plain)) {
            $0.answer(Sample.tenants)
            $0.press(.down, .text("4"))
            $0.answer(Sample.printers)
        },
        Golden("nothing") {
            $0.answer(Sample.tenants)
            $0.press(.text("/"))
            $0.type("한글")
            $0.press(.enter)
            $0.answer(ConsolePage([]))
        },
        Golden("filter-hangul") {
            $0.answer(Sample.tenants)
            $0.press(.text("/"))
            $0.type("어린이집\u{1112}\u{1161}\u{11AB}")
            $0.press(.left)
        },
        Golden("command") {
            $0.answer(Sample.tenants)
            $0.press(.text(":"))
            $0.type("se")
        },
        Golden("command-names") {
            $0.answer(Sample.tenants)
            $0.press(.text(":"))
            $0.type("users ten")
            if case .names(let token, _)? = $0.asked.last { $0.send(.names(token, ["tenant-1", "tenant-2", "other"])) }
        },
        Golden("dialog") {
            $0.answer(Sample.tenants)
            $0.press(.down, .enter)
            $0.answer(Sample.users)
            $0.press(.text("b"))
        },
        Golden("dialog-severe") {
            $0.answer(Sample.tenants)
            $0.press(.down, .text("s"))
            $0.type("chil")
            $0.press(.tab, .enter)
        },
        Golden("dialog-many-ascii", Sample.model(60, 20, Sample.plain)) {
            $0.answer(Sample.tenants)
            $0.press(.text(" "), .text(" "), .text(" "), .text(" "), .text("r"))
        },
        Golden("detail") {
            $0.answer(Sample.tenants)
            $0.press(.text("d"))
            let lines = [
                DetailLine("slug", "arasaebom"), DetailLine("name", "아라새봄 어린이집"),
                DetailLine("identities", "https://issuer a"), DetailLine("", "https://issuer b"),
            ]
            if case .detail(let token, _, _)? = $0.asked.last { $0.send(.detail(token, lines)) }
        },
        Golden("detail-scrolled") {
            $0.answer(Sample.tenants)
            $0.press(.text("y"))
            let lines = (1...100).map { DetailLine("", "\"line\": \($0),") }
            if case .detail(let token, _, _)? = $0.asked.last { $0.send(.detail(token, lines)) }
            $0.press(.pageDown, .down)
        },
        Golden("help") { $0.press(.text("?")) },
        Golden("help-read-only", Sample.model(80, 24, isReadOnly: true)) { $0.press(.text("?")) },
        Golden("away") {
            $0.answer(Sample.tenants)
            $0.tick(2)
            if let token = $0.asked.lastPage?.token {
                $0.send(.failed(token, "no connection to the database: refused", isAway: true))
            }
            $0.tick(1)
        },
        Golden("sorted") {
            $0.answer(Sample.tenants)
            $0.press(.text("Q"))
        },
        Golden("picture-letters", Sample.model(40, 14, Sample.plain)) { shown(&$0) },
        Golden("picture-blocks", Sample.model(40, 14)) { shown(&$0) },
        Golden("picture-none") {
            shown(&$0, nil)
        },
    ]

    static func shown(_ driver: inout Driver, _ picture: Picture? = Sample.picture) {
        driver.answer(Sample.tenants)
        driver.press(.text("3"))
        driver.answer(ConsolePage([ConsolePage.Row(key: "7", name: "우주를 나는 고래", [.text("7")])]))
        driver.press(.enter)
        if case .picture(let token, _, _, _)? = driver.asked.last { driver.send(.picture(token, picture)) }
    }

    @Test(arguments: all)
    func looksAsItDid(_ golden: Golden) throws {
        let screen = golden.make().screen
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Screens")
        let file = folder.appendingPathComponent("\(golden.name).txt")
        if ProcessInfo.processInfo.environment["UPDATE_PAGES"] == "1" {
            try Data(screen.text.utf8).write(to: file)
        }
        let kept = try String(contentsOf: file, encoding: .utf8)
        #expect(screen.text == kept, "UPDATE_PAGES=1 scripts/test --filter GoldenScreenTests writes it anew")
    }

    /// Every line is as wide as the screen, and nothing in it can be obeyed.
    @Test(arguments: all)
    func isWholeAndHarmless(_ golden: Golden) {
        let screen = golden.make().screen
        for y in 0..<screen.size.height {
            let row = screen.row(y)
            #expect(row.reduce(0) { $0 + Int($1.width) } == screen.size.width, "\(golden.name), line \(y)")
            for cell in row {
                #expect(!cell.text.unicodeScalars.contains(where: SafeText.isUnsafe))
                if cell.width > 0 { #expect(CellWidth.of(cell.text) == Int(cell.width)) }
                if screen.isASCII { #expect(cell.text.utf8.allSatisfy { $0 < 0x7F }) }
            }
        }
    }

    @Test func everyFileIsOfATest() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Screens")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(files) == Set(Self.all.map { "\($0.name).txt" }))
    }
}
