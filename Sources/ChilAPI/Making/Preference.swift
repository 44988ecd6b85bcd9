import ChilCore
import ChilHTTP

/// What a client would rather have (`Prefer`, RFC 7240): `respond-async`, and how many seconds it would wait. What is not known is left out,
/// as the RFC wants it.
struct Preference: Equatable {
    var isAsync = false
    /// `wait=N`, seconds.
    var wait: Int?

    init(_ head: RequestHead) {
        self.init(head.field("prefer").flatMap { String(validating: $0, as: UTF8.self) } ?? "")
    }

    init(_ text: String) {
        for preference in text.split(separator: ",") {
            let word = preference.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
            if word.isExactly("respond-async") { isAsync = true }
            if word.hasPrefix("wait="), let seconds = Int(word.dropFirst(5)), seconds >= 0, wait == nil {
                wait = seconds
            }
        }
    }
}
