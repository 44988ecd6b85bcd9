import Glibc

/// A request method (RFC 9110 §9, RFC 5789). Case-sensitive; `.other` is any other token, its bytes are in the head.
package enum Method: UInt8, Sendable, CaseIterable {
    case get, head, post, put, patch, delete, options, connect, trace, other

    /// The longest method that is read at all.
    static let bytesMax = 32

    package var name: StaticString {
        switch self {
        case .get: return "GET"
        case .head: return "HEAD"
        case .post: return "POST"
        case .put: return "PUT"
        case .patch: return "PATCH"
        case .delete: return "DELETE"
        case .options: return "OPTIONS"
        case .connect: return "CONNECT"
        case .trace: return "TRACE"
        case .other: return "other"
        }
    }

    static func recognise(_ bytes: UnsafeRawBufferPointer) -> Self {
        switch bytes.count {
        case 3: return match(bytes, .get) ?? match(bytes, .put) ?? .other
        case 4: return match(bytes, .post) ?? match(bytes, .head) ?? .other
        case 5: return match(bytes, .patch) ?? match(bytes, .trace) ?? .other
        case 6: return match(bytes, .delete) ?? .other
        case 7: return match(bytes, .options) ?? match(bytes, .connect) ?? .other
        default: return .other
        }
    }

    /// Only called with names of the same length.
    private static func match(_ bytes: UnsafeRawBufferPointer, _ method: Self) -> Self? {
        guard let start = bytes.baseAddress else { return nil }
        return memcmp(start, method.name.utf8Start, bytes.count) == 0 ? method : nil
    }
}
