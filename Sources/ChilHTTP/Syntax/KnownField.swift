/// Field names that this house reads: found while parsing, so that asking for one costs no comparison of names.
package enum KnownField: UInt8, Sendable {
    case other
    case host, contentLength, transferEncoding, connection, expect, upgrade
    case contentType, contentEncoding, contentRange
    case authorization, cookie, origin
    case accept, acceptEncoding, prefer
    case ifMatch, ifNoneMatch, ifRange, range
    case idempotencyKey, userAgent, xRequestID, lastEventID, xForwardedFor
    case te, trailer
    case location, retryAfter, eTag, cacheControl, date

    /// The field that `count` token characters at `name` spell, in any case.
    static func recognise(_ name: UnsafePointer<UInt8>, _ count: Int) -> Self {
        switch count {
        case 2: return match(name, count, "te", .te)
        case 4:
            if FoldedName.isToken(name, count, "host") { return .host }
            if FoldedName.isToken(name, count, "etag") { return .eTag }
            return match(name, count, "date", .date)
        case 5: return match(name, count, "range", .range)
        case 6:
            if FoldedName.isToken(name, count, "accept") { return .accept }
            if FoldedName.isToken(name, count, "cookie") { return .cookie }
            if FoldedName.isToken(name, count, "origin") { return .origin }
            if FoldedName.isToken(name, count, "expect") { return .expect }
            return match(name, count, "prefer", .prefer)
        case 7:
            if FoldedName.isToken(name, count, "upgrade") { return .upgrade }
            return match(name, count, "trailer", .trailer)
        case 8:
            if FoldedName.isToken(name, count, "if-match") { return .ifMatch }
            if FoldedName.isToken(name, count, "if-range") { return .ifRange }
            return match(name, count, "location", .location)
        case 10:
            if FoldedName.isToken(name, count, "connection") { return .connection }
            return match(name, count, "user-agent", .userAgent)
        case 11: return match(name, count, "retry-after", .retryAfter)
        case 12:
            if FoldedName.isToken(name, count, "content-type") { return .contentType }
            return match(name, count, "x-request-id", .xRequestID)
        case 13:
            if FoldedName.isToken(name, count, "authorization") { return .authorization }
            if FoldedName.isToken(name, count, "if-none-match") { return .ifNoneMatch }
            if FoldedName.isToken(name, count, "last-event-id") { return .lastEventID }
            if FoldedName.isToken(name, count, "content-range") { return .contentRange }
            return match(name, count, "cache-control", .cacheControl)
        case 14: return match(name, count, "content-length", .contentLength)
        case 15:
            if FoldedName.isToken(name, count, "accept-encoding") { return .acceptEncoding }
            if FoldedName.isToken(name, count, "x-forwarded-for") { return .xForwardedFor }
            return match(name, count, "idempotency-key", .idempotencyKey)
        case 16: return match(name, count, "content-encoding", .contentEncoding)
        case 17: return match(name, count, "transfer-encoding", .transferEncoding)
        default: return .other
        }
    }

    /// Fields that have one value by their definition: a second line means that two readers could read two things.
    var isSingleton: Bool {
        switch self {
        case .host, .contentLength, .transferEncoding, .contentType, .contentRange, .authorization, .ifRange, .range,
            .idempotencyKey, .lastEventID, .location, .origin:
            return true
        default: return false
        }
    }

    /// Fields that may not stand in a trailer section: framing, routing, authentication, conditions (RFC 9110 §6.5.1).
    var isForbiddenInTrailers: Bool {
        switch self {
        case .host, .contentLength, .transferEncoding, .connection, .expect, .upgrade, .contentEncoding, .contentRange,
            .authorization, .cookie, .ifMatch, .ifNoneMatch, .ifRange, .range, .te, .trailer, .idempotencyKey:
            return true
        default: return false
        }
    }

    /// The bit that stands for this field in a set of fields seen.
    var bit: UInt64 { 1 << UInt64(rawValue) }

    @inline(__always)
    private static func match(_ name: UnsafePointer<UInt8>, _ count: Int, _ literal: StaticString, _ field: Self)
        -> Self
    {
        FoldedName.isToken(name, count, literal) ? field : .other
    }
}
