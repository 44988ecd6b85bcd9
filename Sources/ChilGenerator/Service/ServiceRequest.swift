import ChilCore

/// What a service is asked, as it is written on the wire.
package enum ServiceRequest {
    private static let usualSide = 1_024
    /// LocalAI's own default; larger ones take it minutes.
    private static let localSide = 512
    private static let usualSteps = 25
    private static let seedMax: Int64 = 1 << 31 - 1

    /// - Parameters:
    ///   - prompt: cleaned, in its recipe.
    ///   - seed: the same gives the same picture, where a service knows seeds.
    /// - Returns: a JSON body.
    package static func body(
        _ kind: ServiceKind,
        prompt: String,
        model: String?,
        _ options: ServiceOptions,
        seed: Int64
    ) -> [UInt8] {
        switch kind {
        case .openai, .localai, .sdcpp: images(kind, prompt, model, options)
        case .automatic1111: textToImage(prompt, model, options, seed)
        }
    }

    /// How many characters of a prompt are read.
    package static func promptScalarsMax(_ kind: ServiceKind, model: String?) -> Int {
        switch kind {
        case .openai where model?.hasPrefix("dall-e-2") == true: 1_000
        case .openai, .localai, .sdcpp: 4_000
        // What is beyond 75 tokens is read in further chunks, each slower.
        case .automatic1111: 2_000
        }
    }

    private static func images(_ kind: ServiceKind, _ prompt: String, _ model: String?, _ options: ServiceOptions)
        -> [UInt8]
    {
        let side = kind == .openai ? usualSide : localSide
        let size = options.size ?? (side, side)
        var json = ByteWriter(capacity: 512 + prompt.utf8.count)
        json.append("{\"prompt\":")
        json.append(json: prompt)
        json.append(",\"n\":1,\"size\":")
        json.append(json: "\(size.width)x\(size.height)")
        member("model", model, &json)
        member("quality", options.quality, &json)
        member("background", options.background, &json)
        member("moderation", options.moderation, &json)
        switch options.responseFormat ?? usualFormat(kind, model) {
        case .none: break
        case let format: member("response_format", format.rawValue, &json)
        }
        // What cannot be read here is not asked for: GPT image models alone know the field, and answer PNG without it too.
        if isGPTImage(model) { member("output_format", "png", &json) }
        json.append("}")
        return json.finish()
    }

    /// GPT image models refuse the field and always answer base64; DALL·E and LocalAI answer links without it.
    private static func usualFormat(_ kind: ServiceKind, _ model: String?) -> ServiceOptions.ResponseFormat {
        switch kind {
        case .openai: model?.hasPrefix("dall-e") == true ? .base64 : .none
        case .localai: .base64
        case .sdcpp, .automatic1111: .none
        }
    }

    private static func isGPTImage(_ model: String?) -> Bool { model?.hasPrefix("gpt-image") == true }

    private static func textToImage(_ prompt: String, _ model: String?, _ options: ServiceOptions, _ seed: Int64)
        -> [UInt8]
    {
        let size = options.size ?? (localSide, localSide)
        var json = ByteWriter(capacity: 1_024 + prompt.utf8.count)
        json.append("{\"prompt\":")
        json.append(json: prompt)
        member("negative_prompt", LineArtRecipe.unwanted, &json)
        json.append(",\"width\":")
        json.append(decimal: size.width)
        json.append(",\"height\":")
        json.append(decimal: size.height)
        json.append(",\"steps\":")
        json.append(decimal: options.steps ?? usualSteps)
        json.append(",\"cfg_scale\":")
        json.append(unescaped: "\(options.guidance ?? 7)")
        json.append(",\"seed\":")
        json.append(decimal: (seed & Int64.max) % seedMax)
        json.append(",\"batch_size\":1,\"n_iter\":1,\"save_images\":false,\"send_images\":true")
        member("sampler_name", options.sampler, &json)
        if let model {
            json.append(",\"override_settings\":{\"sd_model_checkpoint\":")
            json.append(json: model)
            json.append("}")
        }
        json.append("}")
        return json.finish()
    }

    private static func member(_ name: StaticString, _ text: String?, _ json: inout ByteWriter) {
        guard let text else { return }
        json.append(",\"")
        json.append(name)
        json.append("\":")
        json.append(json: text)
    }
}
