internal import COpenSSL

/// OpenSSL's queue of errors, one per thread (ERR_get_error(3)).
///
/// It is cleared before a call and drained after, so that an error is told with the call that caused it.
enum ErrorQueue {
    @inline(__always)
    static func clear() {
        ERR_clear_error()
    }

    /// What is in the queue, oldest first; the queue is empty then.
    static func drain() -> String {
        var lines: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            var line = [CChar](repeating: 0, count: 256)
            ERR_error_string_n(code, &line, line.count)
            lines.append(String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
        }
        return lines.joined(separator: "; ")
    }
}
