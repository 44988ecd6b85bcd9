import ChilCore
import ChilCrypto
import ChilHTTP
import ChilLoop
import ChilTestSupport
import Testing

@testable import ChilGenerator

/// Against a service that behaves, and one that does not.
@Suite struct GeneratorClientTests {
    private typealias Answer = ImageServiceStandIn.Answer

    private static func made(_ bytes: [UInt8]) -> Answer {
        .json(.ok, #"{"data":[{"b64_json":"\#(Pages.base64(bytes))","revised_prompt":"a tabby cat"}]}"#)
    }

    private func draw(
        _ kind: ServiceKind = .openai,
        timeout: Duration = Duration.seconds(10).patient,
        isAllowed: Bool = true,
        answering answer: @escaping @Sendable (ImageServiceStandIn.Request) -> Answer
    ) async throws -> (GeneratorClient.Outcome, [ImageServiceStandIn.Request]) {
        let standIn = try ImageServiceStandIn(answer)
        defer { standIn.stop() }
        let thread = try LoopThread()
        defer { thread.loop.stop() }
        let service = GeneratorClient.Service(
            kind: kind,
            url: try #require(HTTPURL(standIn.url + "/v1/")),
            key: SecretBytes(copying: Array("sk-test".utf8)),
            model: nil,
            options: ServiceOptions(),
            timeout: timeout,
            exception: isAllowed ? standIn.exception : nil
        )
        let wish = try #require(CleanWish("a cat"))
        let outcome = await LoopHome(thread.loop).run { loop in
            await GeneratorClient(on: loop, offLoop: { $0() })
                .draw(wish, LineArtRecipe(), .medium, seed: 7, by: service)
        }
        return (outcome, standIn.requests)
    }

    @Test(arguments: ServiceKind.allCases)
    func aPictureIsMade(_ kind: ServiceKind) async throws {
        let (outcome, requests) = try await draw(kind) { _ in
            kind == .automatic1111
                ? .json(.ok, #"{"images":["\#(Pages.base64(Pages.lineArt))"]}"#) : Self.made(Pages.lineArt)
        }
        guard case .made(let picture, let revised) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(picture.width == 96 && revised == (kind == .automatic1111 ? nil : "a tabby cat"))
        let request = try #require(requests.first)
        #expect(requests.count == 1 && request.method == "POST" && request.contentType == "application/json")
        #expect(request.target == "/v1" + kind.path)
        #expect(request.authorization == (kind == .automatic1111 ? "Basic c2stdGVzdA==" : "Bearer sk-test"))
        #expect(request.text.contains("a cat"))
    }

    /// The key goes to the service, and to nobody that it names.
    @Test func aLinkIsFetchedWithoutTheKey() async throws {
        let (outcome, requests) = try await draw(.localai) { request in
            request.method == "GET"
                ? .bytes("image/png", Pages.lineArt) : .json(.ok, #"{"data":[{"url":"/generated-images/a.png"}]}"#)
        }
        guard case .made = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(requests.map(\.target) == ["/v1/images/generations", "/generated-images/a.png"])
        #expect(requests.last?.authorization == "")
    }

    @Test(arguments: [
        "http://127.0.0.1:1/a.png", "https://169.254.169.254/latest/meta-data", "https://10.0.0.1/a.png",
        "http://images.example/a.png",
        "file:///etc/passwd", "ftp://x/a", "https://[::1]/a.png",
    ])
    func aLinkElsewhereIsNotFollowed(_ link: String) async throws {
        let (outcome, requests) = try await draw { _ in .json(.ok, #"{"data":[{"url":"\#(link)"}]}"#) }
        guard case .away(_, false, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(requests.count == 1)
    }

    @Test func aPrivateAddressIsNotCalled() async throws {
        let (outcome, requests) = try await draw(isAllowed: false) { _ in Self.made(Pages.lineArt) }
        guard case .away(let fault, false, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(requests.isEmpty && fault.contains("not public"))
    }

    @Test func whatItMadeIsJudged() async throws {
        #expect(try await draw { _ in Self.made(Pages.black) }.0 == .unfit(.black))
        #expect(try await draw { _ in Self.made(Pages.blank) }.0 == .unfit(.blank))
        for bytes in [Array("GIF89a".utf8), Array("<html>".utf8)] {
            guard case .unfit(.unreadable) = try await draw(answering: { _ in Self.made(bytes) }).0 else {
                Issue.record("taken")
                continue
            }
        }
    }

    @Test func moderationIsFinal() async throws {
        let body = #"{"error":{"code":"moderation_blocked","message":"no"}}"#
        #expect(try await draw { _ in .json(.badRequest, body) }.0 == .refused)
    }

    @Test(arguments: [
        ("slow", true), ("half", true), ("gigantic", false), ("page", true), ("redirect", false), ("base64", true),
        ("empty", true),
        ("busy", true), ("error", true), ("linkGone", true),
    ])
    func misbehaviourIsAFault(_ name: String, _ isPassing: Bool) async throws {
        let timeout = name == "slow" ? Duration.milliseconds(300) : Duration.seconds(30).patient
        let (outcome, _) = try await draw(timeout: timeout) { request in
            switch name {
            case "slow": .slow(.seconds(5), .page(.ok))
            case "half": .half(Array(#"{"data":[{"b64_json":"iVBO"#.utf8))
            case "gigantic": .gigantic
            case "page": .page(.badGateway)
            case "redirect": .redirect("https://elsewhere.example/")
            case "base64": .json(.ok, #"{"data":[{"b64_json":"not base64!"}]}"#)
            case "empty": .json(.ok, "")
            case "busy": .retryAfter(.tooManyRequests, 9)
            case "linkGone" where request.method == "GET": .page(.badGateway)
            case "linkGone": .json(.ok, #"{"data":[{"url":"/gone.png"}]}"#)
            default: .json(.ok, #"{"error":"out of memory"}"#)
            }
        }
        guard case .away(let fault, let passing, let retryAfter) = outcome else {
            Issue.record("\(name): \(outcome)")
            return
        }
        #expect(passing == isPassing, "\(fault)")
        #expect(retryAfter == (name == "busy" ? .seconds(9) : nil))
        #expect(!fault.contains("sk-test"))
    }
}
