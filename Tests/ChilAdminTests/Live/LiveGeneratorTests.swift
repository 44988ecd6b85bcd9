import ChilCore
import ChilHTTP
import ChilMediaTestSupport
import ChilTestSupport
import Foundation
import Testing

@testable import ChilAdmin

/// Services that draw, as an operator keeps them, against PostgreSQL and a service that listens.
@Suite struct LiveGeneratorTests {
    private static func page(_ grey: Int) -> [UInt8] {
        var maker = PNGMaker(width: 96, height: 96) { column, _ in [column % 12 < 2 ? grey : 255] }
        maker.colourType = 0
        return maker.file()
    }

    private static func made(_ bytes: [UInt8]) -> ImageServiceStandIn.Answer {
        .json(.ok, #"{"data":[{"b64_json":"\#(String(decoding: Base64.encode(bytes), as: UTF8.self))"}]}"#)
    }

    @Test func aServiceIsAddedTestedChangedAndRemoved() async throws {
        let live = try await LiveDatabase()
        let standIn = try ImageServiceStandIn { _ in Self.made(Self.page(0)) }
        defer { standIn.stop() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chil-generator-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let key = folder.appendingPathComponent("key").path, out = folder.appendingPathComponent("page.png").path
        try Data("sk-secret-of-ours\n".utf8).write(to: URL(fileURLWithPath: key))
        @discardableResult
        func expect(
            _ line: String,
            _ status: ExitCode,
            out: String = "",
            err: String = "",
            at location: SourceLocation = #_sourceLocation
        ) async -> String {
            let run = await live.run(line)
            #expect(run.status == status, "\(line): \(run.err)", sourceLocation: location)
            #expect(out.isEmpty || run.out.contains(out), "\(line): \(run.out)", sourceLocation: location)
            #expect(err.isEmpty || run.err.contains(err), "\(line): \(run.err)", sourceLocation: location)
            #expect(!run.out.contains("sk-secret") && !run.err.contains("sk-secret"), sourceLocation: location)
            return run.out
        }
        #expect(await live.run("migrate", as: nil).status == .success)
        await expect("tenant create chillin", .success)
        await expect("tenant create other", .success)
        await expect("generator add chillin --kind localai --key-file \(key)", .dataRefused, err: "Add --url")
        await expect("generator add chillin --kind localai --url \(standIn.url)/v1", .dataRefused, err: "not https://")
        await expect(
            "generator add chillin --kind openai --options {\"steps\":0}",
            .dataRefused,
            err: "steps is 1 to 150"
        )
        await expect("generator add chillin --kind openai --key-file /nowhere", .dataRefused, err: "there is no file")
        let made = await expect(
            "generator add chillin --kind localai --url \(standIn.url)/v1 --allow-private \(standIn.authority) --key-file \(key) -o json",
            .success,
            out: "localai"
        )
        let json = try StrictJSON.parse(Array(made.utf8))
        let row = try #require(json.object ?? json.array?.first?.object)
        let id = try #require(row["id"]?.int64)
        #expect(row["hasKey"]?.bool == true && row["disclosesTo"]?.isNull != false)
        await expect("generator show other \(id)", .notFound, err: "no generator \(id)")
        await expect("generator test chillin \(id) --wish 고양이 --out \(out)", .success, out: "image/png")
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)) == Data(Self.page(0)))
        await expect("generator test chillin \(id) --out \(out)", .outputNotMade, err: "already")
        #expect(standIn.requests.allSatisfy { $0.authorization == "Bearer sk-secret-of-ours" })

        // Sealed anew with the rest, under a new master key.
        try live.setKeys("1:\(String(repeating: "0f", count: 32))\n2:\(String(repeating: "1e", count: 32))\n")
        await expect("key reseal --tenant chillin", .success)
        try live.setKeys("2:\(String(repeating: "1e", count: 32))\n")
        await expect("generator test chillin \(id)", .success)

        standIn.set { _ in Self.made(Self.page(255)) }
        await expect("generator test chillin \(id)", .failed, err: "blank")
        standIn.set { _ in .page(.badGateway) }
        await expect("generator test chillin \(id)", .failed, err: "502")
        await expect("generator update chillin \(id)", .usage, err: "what shall change is missing")
        await expect("generator update other \(id) --state disabled", .notFound)
        await expect(
            "generator update chillin \(id) --state disabled --discloses-to acme --timeout 3m",
            .success,
            out: "disabled"
        )
        await expect("generator list chillin", .success, out: "acme")
        await expect("generator list other", .success)

        let words = folder.appendingPathComponent("words").path
        try Data("# ours\n\n피카츄 \n피카츄\npikachu\n".utf8).write(to: URL(fileURLWithPath: words))
        await expect("generator settings chillin --words-file \(words) --level easy", .success, out: "피카츄, pikachu")
        await expect("generator settings chillin --recipe nothing", .dataRefused, err: "{wish}")
        await expect("generator settings other", .success, out: "medium")
        await expect("generator settings chillin --no-words", .success, out: "easy")
        await expect("generator remove other \(id)", .notFound)
        await expect("generator remove chillin \(id)", .success, err: "Removed.")
        let audit = await expect("audit list chillin", .success)
        for word in ["image-endpoint.add", "image-endpoint.change", "image-endpoint.remove", "generation.set"] {
            #expect(audit.contains(word))
        }
        #expect(!audit.contains("피카츄"))
        try await live.remove()
    }
}
