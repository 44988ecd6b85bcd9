import ChilCore
import ChilHTTP
import ChilStore

/// A refusal as the client reads it: a problem document (RFC 9457) with a stable code. Thrown by routes, written at one border.
struct Problem: Error {
    /// Published codes: never renamed, never reused.
    enum Code: String, Sendable, CaseIterable {
        case malformedJSON = "malformed-json"
        case malformedRequest = "malformed-request"
        case invalidFields = "invalid-fields"
        case unauthorized = "unauthorized"
        case invalidIdentityToken = "invalid-identity-token"
        case invalidRefreshToken = "invalid-refresh-token"
        case invalidAuthorizationCode = "invalid-authorization-code"
        case userBanned = "user-banned"
        case invalidNotification = "invalid-notification"
        case tenantSuspended = "tenant-suspended"
        case tenantUnavailable = "tenant-unavailable"
        case notFound = "not-found"
        case preconditionRequired = "precondition-required"
        case preconditionFailed = "precondition-failed"
        case exportRunning = "export-running"
        case tooManyListeners = "too-many-listeners"
        case rateLimited = "rate-limited"
        case invalidIdempotencyKey = "invalid-idempotency-key"
        case idempotencyKeyReused = "idempotency-key-reused"
        case idempotencyKeyRunning = "idempotency-key-running"
        case methodNotAllowed = "method-not-allowed"
        case contentTooLarge = "content-too-large"
        case unsupportedMediaType = "unsupported-media-type"
        case invalidImage = "invalid-image"
        case rangeNotSatisfiable = "range-not-satisfiable"
        case consentRequired = "consent-required"
        case quotaExceeded = "quota-exceeded"
        case quotaWindowExceeded = "quota-window-exceeded"
        case noPrinter = "no-printer"
        case printJobOver = "print-job-over"
        case printJobRunning = "print-job-running"
        case wishRefused = "wish-refused"
        case pictureUnusable = "picture-unusable"
        case noPictureService = "no-picture-service"
        case pictureServicesAway = "picture-services-away"
        case noCharacter = "no-character"
        case ambiguousCharacter = "ambiguous-character"
        case unsupportedImage = "unsupported-image"
        case backendUnavailable = "backend-unavailable"
        case motionTimeout = "motion-timeout"
        case noIdentityProvider = "no-identity-provider"
        case identityProviderMisconfigured = "identity-provider-misconfigured"
        case identityProviderAway = "identity-provider-away"
        case imageStoreAway = "image-store-away"
        case databaseAway = "database-away"
        case overloaded = "overloaded"
        case outcomeUnknown = "outcome-unknown"
        case internalError = "internal-error"
    }

    struct FieldFault: Sendable {
        /// JSON Pointer (RFC 6901) into the body.
        let pointer: String
        let detail: String
    }

    let status: Status
    let code: Code
    let title: StaticString
    /// Says what to do. Never a user's data, never a reason that tells an attacker which check failed.
    let detail: String
    var fields: [FieldFault] = []
    /// Seconds for `Retry-After`.
    var retryAfter: Int?
    var allow: String?
    /// What consent is missing, as members `scope` and `notice`.
    var lack: ConsentLack?

    func response(instance: String) -> Response {
        var body = ByteWriter(capacity: 384)
        body.append("{\"type\":\"about:blank\",\"title\":")
        body.append(json: "\(title)")
        body.append(",\"status\":")
        body.append(decimal: Int(status.rawValue))
        body.append(",\"detail\":")
        body.append(json: detail)
        body.append(",\"code\":")
        body.append(json: code.rawValue)
        body.append(",\"instance\":")
        body.append(json: instance)
        if !fields.isEmpty {
            body.append(",\"errors\":[")
            for (index, field) in fields.enumerated() {
                body.append(index == 0 ? "{\"pointer\":" : ",{\"pointer\":")
                body.append(json: field.pointer)
                body.append(",\"detail\":")
                body.append(json: field.detail)
                body.append("}")
            }
            body.append("]")
        }
        if let lack {
            body.append(",\"scope\":")
            body.append(json: lack.scope.description)
            body.append(",\"notice\":")
            body.append(decimal: Int64(lack.notice))
        }
        body.append("}")
        var response = Response(status, "application/problem+json", .bytes(body.finish()))
        response.add("Cache-Control", "no-store")
        if let retryAfter { response.add("Retry-After", "\(retryAfter)") }
        if let allow { response.add("Allow", allow) }
        if status == .unauthorized { response.add("WWW-Authenticate", "Bearer") }
        return response
    }
}
