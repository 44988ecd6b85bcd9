import ChilCore
import ChilGenerator
import ChilHTTP
import ChilStore

extension APIService {
    static let wishRule = TextRule(bytesMax: CleanWish.bytesMax, allowsLines: true)

    /// `POST drawings/gen`: a drawing of a wish, within half a minute; else 202, and the work goes on.
    func generateDrawing(_ call: Call) async throws -> Response {
        let principal = try await principal(call)
        var fields = FieldReader(try await call.jsonObject())
        let wish = fields.requiredText("prompt", Self.wishRule)
        let level = fields.choice("style", LineArtRecipe.Level.self)
        try fields.finish()
        // Before anything is taken or kept: a wish that is not drawn leaves no trace.
        let settings = try await GenerationSettingsOne(of: principal.tenant).first(from: database)
        guard !BlockList(ownWords: settings?.blockedWords ?? []).matches(wish) else { throw Problem.wishRefused }
        let draft = ImageJobEnqueue.Draft(
            id: try ids.next(at: call.now),
            purpose: .generation,
            prompt: wish,
            parameters: GenerationMaker.Parameters(level: level).text
        )
        var asked = OnceMeaning()
        asked.append(wish)
        asked.append(level?.rawValue)
        let json = drawingJSON(call)
        return try await make(
            draft,
            .generateDrawing,
            asking: asked,
            by: principal,
            call,
            patience: principal.isGuest ? MakingPatience.guest : MakingPatience.generation
        ) { drawing, body in
            body.append("{\"drawingId\":")
            body.append(decimal: drawing.id.rawValue)
            body.append(",\"url\":")
            json.appendURL(of: drawing, to: &body)
            body.append(",\"prompt\":")
            body.append(json: wish)
            body.append("}")
        }
    }
}
