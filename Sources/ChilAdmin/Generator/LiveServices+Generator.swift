import ChilCore
import ChilCrypto
import ChilDatabase
import ChilGenerator
import ChilHTTP
import ChilLoop
import ChilSketch
import ChilStore

extension LiveServices: GeneratorServices {
    func testGenerator(_ number: ImageEndpointNumber, of slug: Slug, wish: String, out: String?)
        async throws(AdminFault)
        -> GeneratorTestRow
    {
        let tenant = try await record(of: slug)
        let endpoint = try await storedEndpoint(number, .generation, of: tenant)
        let settings = try await settings(of: tenant)
        let begun = now()
        let (picture, revised) = try await drawn(wish, by: endpoint, settings, in: tenant)
        let milliseconds = (now() - begun).wholeMicroseconds / 1_000
        if let out { try write(picture.bytes, to: out) }
        return GeneratorTestRow(
            id: endpoint.id.rawValue,
            milliseconds: milliseconds,
            mediaType: picture.mediaType,
            width: Int64(picture.width),
            height: Int64(picture.height),
            byteCount: Int64(picture.bytes.count),
            revisedPrompt: revised
        )
    }

    private func drawn(
        _ wish: String,
        by endpoint: ImageEndpoint,
        _ settings: GenerationSettings,
        in tenant: TenantRecord
    ) async throws(AdminFault) -> (Picture, revisedPrompt: String?) {
        if endpoint.kind == .sketchbook { return try sketched(wish, settings) }
        let level = LineArtRecipe.Level(rawValue: settings.level.rawValue) ?? .medium
        guard let kind = ServiceKind(rawValue: endpoint.kind.rawValue), let clean = CleanWish(wish) else {
            throw AdminFault(
                .failed,
                "this build has no \(endpoint.kind.rawValue)",
                remedy: "Use one of another release."
            )
        }
        let options: ServiceOptions
        let recipe: LineArtRecipe
        do {
            options = try ServiceOptions(parsing: endpoint.options)
            recipe = try settings.recipe.map { try LineArtRecipe($0) } ?? LineArtRecipe()
        } catch {
            throw AdminFault(
                .dataRefused,
                "its options or the recipe are not taken: \(error)",
                remedy: "Set them anew."
            )
        }
        let service = GeneratorClient.Service(
            kind: kind,
            url: try checkedURL(endpoint.url, endpoint.allowedPrivateEndpoint),
            key: try openedKey(of: endpoint, in: tenant),
            model: endpoint.model,
            options: options,
            timeout: endpoint.timeout,
            exception: endpoint.allowedPrivateEndpoint.flatMap { AddressGuard.Exception($0) }
        )
        let seed = now().microseconds
        let outcome = await LoopHome(try loop()).run { loop in
            await GeneratorClient(on: loop, offLoop: { $0() }).draw(clean, recipe, level, seed: seed, by: service)
        }
        switch outcome {
        case .made(let picture, let revised): return (picture, revised)
        case .refused:
            throw AdminFault(
                .failed,
                "it does not draw this wish: it takes it for nothing for children",
                remedy: "Try another --wish."
            )
        case .unfit(let fault):
            throw AdminFault(.failed, "\(fault)", remedy: "Set another model, size or recipe.")
        case .away(let fault, _, _):
            throw AdminFault(
                .failed,
                "it draws nothing: \(fault)",
                remedy: "Redirects are not followed; its log may say more."
            )
        }
    }

    private func sketched(_ wish: String, _ settings: GenerationSettings) throws(AdminFault) -> (
        Picture, revisedPrompt: String?
    ) {
        let level = SketchLevel(rawValue: settings.level.rawValue) ?? .medium
        let seed = UInt64(bitPattern: now().microseconds)
        do throws(SketchFault) {
            let sketch = try Sketchbook.draw(wish: wish, seed: seed, level: level)
            let picture = Picture(
                bytes: sketch.png,
                mediaType: "image/png",
                width: sketch.size.width,
                height: sketch.size.height
            )
            return (picture, "sketchbook: \(sketch.title)")
        } catch {
            throw AdminFault(.failed, "\(error)", remedy: "Free some memory.")
        }
    }

    func generationSettings(_ draft: GenerationDraft, of slug: Slug) async throws(AdminFault) -> GenerationSettingsRow {
        let tenant = try await record(of: slug)
        var words =
            draft.hasNoWords ? [] : try draft.wordsFile.map { path throws(AdminFault) in try Self.words(in: path) }
        if !draft.words.isEmpty {
            guard draft.words.count <= BlockList.wordsMax else {
                throw AdminFault(
                    .dataRefused,
                    "there are more than \(BlockList.wordsMax) words",
                    remedy: "Take some out."
                )
            }
            words = draft.words.map(\.text)
        }
        if let recipe = draft.recipe, !recipe.isEmpty {
            do throws(LineArtRecipe.Fault) {
                _ = try LineArtRecipe(recipe)
            } catch {
                throw AdminFault(.dataRefused, "the recipe is not taken: \(error)", remedy: "Give another --recipe.")
            }
        }
        if draft != GenerationDraft() {
            let set = GenerationSettingsSet(
                recipe: draft.recipe,
                level: draft.level,
                blockedWords: words,
                of: tenant.id,
                note: try note()
            )
            try await ask { database throws(DatabaseError) in try await set.run(on: database) }
        }
        let settings = try await settings(of: tenant)
        return GenerationSettingsRow(
            recipe: settings.recipe ?? LineArtRecipe.house,
            level: settings.level.rawValue,
            words: settings.blockedWords
        )
    }

    private func settings(of tenant: TenantRecord) async throws(AdminFault) -> GenerationSettings {
        let one = GenerationSettingsOne(of: tenant.id)
        return try await ask { database throws(DatabaseError) in try await one.first(from: database) }
            ?? GenerationSettings()
    }

    /// One a line, each once; what is empty or begins with # is none.
    private static func words(in path: String) throws(AdminFault) -> [String] {
        guard let bytes = try SecretFile(path: path).read() else {
            throw AdminFault(.dataRefused, "there is no file '\(path)'", remedy: "Name a file with one word a line.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw AdminFault(.dataRefused, "'\(path)' is no UTF-8", remedy: "Save it as UTF-8.")
        }
        var words: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            var word = String(line).plain
            while word.last == " " { word.removeLast() }
            while word.first == " " { word.removeFirst() }
            guard !word.isEmpty, !word.hasPrefix("#"), !words.contains(word) else { continue }
            guard word.utf8.count <= BlockList.wordBytesMax, words.count < BlockList.wordsMax else {
                throw AdminFault(
                    .dataRefused,
                    "'\(path)' has a word of more than \(BlockList.wordBytesMax) bytes, or more than \(BlockList.wordsMax) words",
                    remedy: "Take some out."
                )
            }
            words.append(word)
        }
        return words
    }
}

extension LiveServices {
    private func write(_ bytes: [UInt8], to path: String) throws(AdminFault) {
        guard try SecretFile(path: path).place(SecretBytes(copying: bytes)) else {
            throw AdminFault(.outputNotMade, "there is a file '\(path)' already", remedy: "Name another --out.")
        }
    }
}
