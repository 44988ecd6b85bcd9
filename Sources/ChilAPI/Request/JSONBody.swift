import ChilCore
import ChilHTTP

extension Call {
    /// The body as a JSON object.
    ///
    /// - Parameter mediaType: what it may be called besides `application/json`.
    /// - Throws: `Problem`: 415 for another media type, 413 over 64 KiB, 400 for what is no strict JSON object.
    func jsonObject(or mediaType: String? = nil) async throws(Problem) -> JSONObject {
        let type = head.mediaType
        guard let type, type.essence == "application/json" || type.essence == mediaType, type.isUTF8 else {
            throw .unsupportedMediaType("a JSON body with Content-Type: \(mediaType ?? "application/json")")
        }
        let body: [UInt8]
        do {
            body = try await exchange.body(atMost: Self.jsonBytesMax)
        } catch {
            throw .rejected(error, bytesMax: Self.jsonBytesMax)
        }
        do {
            guard let object = try StrictJSON.parse(body).object else {
                throw Problem.malformedRequest("Send one JSON object.")
            }
            return object
        } catch let fault as JSONFault {
            throw .malformedJSON(fault)
        } catch let problem as Problem {
            throw problem
        } catch {
            throw .internalError
        }
    }

    private static let jsonBytesMax = 64 << 10
}

extension Problem {
    /// A message that broke off or was refused while it was read.
    static func rejected(_ rejection: Rejection, bytesMax: Int = 0) -> Problem {
        if rejection == .bodyTooLarge { return .contentTooLarge(bytesMax) }
        return Problem(
            status: rejection.status,
            code: .malformedRequest,
            title: "Malformed request",
            detail: "\(rejection.remedy)"
        )
    }
}
