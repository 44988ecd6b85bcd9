import ChilCore
import ChilHTTP
import ChilMotion
import ChilStore

extension APIService {
    /// `POST motion/{drawingId}`: a GIF in which the drawing moves, within 55 s; else 202, and the work goes on.
    func moveDrawing(_ call: Call) async throws -> Response {
        let principal = try await principal(call)
        let source: DrawingID = try call.number(1)
        var fields = FieldReader(try await call.jsonObject())
        let asked = fields.choice("motionType", MotionType.self, isAnyCase: true)
        if asked == nil { fields.require("motionType") }
        try fields.finish()
        guard let motion = asked else { throw Problem.invalidFields([]) }
        let draft = ImageJobEnqueue.Draft(
            id: try ids.next(at: call.now),
            purpose: .motion,
            source: source,
            parameters: MotionMaker.Parameters(motion).text
        )
        var meaning = OnceMeaning()
        meaning.append(source.rawValue)
        meaning.append(motion.rawValue)
        let json = drawingJSON(call)
        return try await make(
            draft,
            .moveDrawing,
            asking: meaning,
            by: principal,
            call,
            patience: MakingPatience.motion
        ) { drawing, body in
            body.append("{\"drawingId\":")
            body.append(decimal: drawing.id.rawValue)
            body.append(",\"url\":")
            json.appendURL(of: drawing, to: &body)
            body.append("}")
        }
    }
}
