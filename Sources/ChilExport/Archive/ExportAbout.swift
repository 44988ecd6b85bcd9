import ChilCore
import ChilDatabase

/// `export.json`: whose archive it is, and of when.
final class ExportAbout: ExportPart {
    private var steps: [ExportStep]

    init(_ user: UserID, service: String, at now: Timestamp) {
        var json = ByteWriter(capacity: 256)
        json.append("{\"format\":1,\"service\":")
        json.append(json: service)
        json.append(",\"userId\":")
        json.append(json: user)
        json.append(",\"exportedAt\":")
        json.append(json: now)
        json.append("}\n")
        steps = [.bytes(json.finish()), .file(.about, isLarge: false)]
    }

    func next(from database: any Database) async throws -> ExportStep? {
        steps.popLast()
    }
}
