import ChilCore
import Testing

@testable import ChilGenerator

@Suite struct ServiceRequestTests {
    private func body(_ kind: ServiceKind, model: String? = nil, _ options: String = "{}", seed: Int64 = 7) throws
        -> JSONObject
    {
        let bytes = ServiceRequest.body(
            kind,
            prompt: "a \"cat\"",
            model: model,
            try ServiceOptions(parsing: options),
            seed: seed
        )
        return try #require(try StrictJSON.parse(bytes).object)
    }

    /// GPT image models refuse `response_format`; DALL·E answers a link without it.
    @Test(
        arguments: [
            (ServiceKind.openai, "gpt-image-1", "{}", nil, "1024x1024"),
            (.openai, "gpt-image-1-mini", #"{"size":"1536x1024"}"#, nil, "1536x1024"),
            (.openai, "dall-e-3", "{}", "b64_json", "1024x1024"),
            (.openai, "dall-e-2", #"{"responseFormat":"url"}"#, "url", "1024x1024"),
            (.openai, "dall-e-2", #"{"responseFormat":"none"}"#, nil, "1024x1024"),
            (.openai, nil, "{}", nil, "1024x1024"),
            (.localai, "flux", "{}", "b64_json", "512x512"),
            (.sdcpp, nil, "{}", nil, "512x512"),
        ] as [(ServiceKind, String?, String, String?, String)]
    )
    func eachFamilyIsAskedAsItWants(
        _ kind: ServiceKind,
        _ model: String?,
        _ options: String,
        _ format: String?,
        _ size: String
    )
        throws
    {
        let body = try body(kind, model: model, options)
        #expect(body["prompt"]?.string == "a \"cat\"" && body["n"]?.int64 == 1)
        #expect(body["response_format"]?.string == format)
        #expect(body["size"]?.string == size)
        #expect(body["model"]?.string == model)
        #expect((body["output_format"] != nil) == (model?.hasPrefix("gpt-image") == true))
    }

    @Test func textToImageHasItsOwnWords() throws {
        let body = try body(
            .automatic1111,
            model: "lineart",
            #"{"size":"768x512","steps":30,"guidance":6.5,"sampler":"Euler a"}"#,
            seed: .max
        )
        #expect(body["width"]?.int64 == 768 && body["height"]?.int64 == 512 && body["steps"]?.int64 == 30)
        #expect(body["cfg_scale"]?.number?.double == 6.5 && body["sampler_name"]?.string == "Euler a")
        #expect(body["negative_prompt"]?.string == LineArtRecipe.unwanted)
        #expect(body["override_settings"]?.object?["sd_model_checkpoint"]?.string == "lineart")
        #expect((0..<(1 << 31)).contains(try #require(body["seed"]?.int64)))
    }

    @Test(arguments: [
        "", "[]", "{", #"{"size":"1024"}"#, #"{"size":"32x32"}"#, #"{"size":"1x2x3"}"#, #"{"size":1024}"#,
        #"{"steps":0}"#, #"{"steps":"9"}"#,
        #"{"guidance":-1}"#, #"{"responseFormat":"gif"}"#, #"{"quality":""}"#, #"{"key":"sk-1"}"#,
        #"{"size":"64x64","size":"64x64"}"#,
    ])
    func otherOptionsAreRefused(_ text: String) {
        #expect(throws: ServiceOptions.Fault.self) { try ServiceOptions(parsing: text) }
    }
}

@Suite struct ServiceAnswerTests {
    private static let page = Pages.base64(Array("picture".utf8))

    private func read(_ kind: ServiceKind, _ status: Int, _ body: String, retryAfter: String? = nil) -> ServiceAnswer {
        ServiceAnswer(kind, status: status, body: Array(body.utf8), retryAfter: retryAfter)
    }

    @Test func picturesComeInTwoWays() {
        let picture = ServiceAnswer.picture(Array("picture".utf8), revisedPrompt: nil)
        for kind in [ServiceKind.openai, .localai, .sdcpp] {
            #expect(read(kind, 200, #"{"created":1,"data":[{"b64_json":"\#(Self.page)"}]}"#) == picture)
            #expect(
                read(kind, 200, #"{"data":[{"url":"https://x.example/a.png","revised_prompt":"a tabby"}],"usage":{}}"#)
                    == .link("https://x.example/a.png", revisedPrompt: "a tabby")
            )
        }
        #expect(read(.automatic1111, 200, #"{"images":["\#(Self.page)"],"parameters":{},"info":""}"#) == picture)
        #expect(read(.automatic1111, 200, #"{"images":["data:image/png;base64,\#(Self.page)"]}"#) == picture)
    }

    /// Three shapes, and some that say it in a sentence.
    @Test(arguments: [
        (400, #"{"error":{"type":"image_generation_user_error","code":"moderation_blocked","message":"Rejected"}}"#),
        (400, #"{"error":{"code":"content_policy_violation","message":"x","type":"invalid_request_error"}}"#),
        (
            400,
            #"{"error":{"code":null,"message":"Your request was rejected as a result of our safety system.","type":"x"}}"#
        ),
        (500, #"{"error":"blocked by the content policy"}"#),
        (200, #"{"error":{"code":"content_filter","message":"x"}}"#),
        (422, #"{"detail":"this violates our Content Policy"}"#),
    ])
    func whatModerationSaysIsFinal(_ status: Int, _ body: String) {
        #expect(read(.openai, status, body) == .refused)
    }

    @Test(arguments: [
        (200, "{}", true), (200, #"{"data":[]}"#, true), (200, #"{"data":[{}]}"#, true),
        (200, #"{"data":[{"b64_json":"***"}]}"#, true),
        (200, #"{"data":[{"b64_json":7}]}"#, true), (200, #"{"data":[{"url":""}]}"#, true), (200, "<html>", true),
        (200, "", true),
        (200, #"{"error":"out of memory"}"#, true), (200, #"{"data":{"0":1}}"#, true),
        (301, "", false), (302, "", false), (400, #"{"error":{"message":"bad size"}}"#, false), (401, "", false),
        (402, "{}", false),
        (403, "<html>", false), (404, "", false), (408, "", true),
        (422, #"{"detail":[{"msg":"field required"}]}"#, false),
        (429, "{}", true), (500, #"{"error":"x"}"#, true), (502, "<html>Bad Gateway", true), (503, "", true),
        (599, "", true),
    ])
    func everythingElseIsAFault(_ status: Int, _ body: String, _ isPassing: Bool) {
        guard case .fault(let text, let passing, _) = read(.openai, status, body) else {
            Issue.record("\(status) \(body)")
            return
        }
        #expect(passing == isPassing && text.contains("\(status)"))
    }

    @Test func anErrorIsQuotedWithinBounds() {
        let long = String(repeating: "x\u{7}", count: 1_000)
        guard case .fault(let text, _, _) = read(.sdcpp, 500, "{\"error\":\"\(long.plain)\"}") else {
            Issue.record("read")
            return
        }
        #expect(text.utf8.count < 300)
    }

    @Test(arguments: [
        ("7", Duration.seconds(7)), ("0", .zero), ("-3", nil), ("Wed, 21 Oct 2026 07:28:00 GMT", nil), (nil, nil),
    ])
    func aPauseIsRead(_ field: String?, _ pause: Duration?) {
        guard case .fault(_, _, let read) = read(.openai, 429, "{}", retryAfter: field) else {
            Issue.record("read")
            return
        }
        #expect(read == pause)
    }
}
