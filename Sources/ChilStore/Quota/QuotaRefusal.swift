package import ChilCore
import ChilDatabase

/// The limit that refused something, as `chil_take` in `sql/` names it.
package struct QuotaRefusal: Hashable, Sendable {
    package let key: QuotaKey
    /// When use begins anew; `nil`: it does not, something has to be deleted.
    package let resetsAt: Timestamp?

    package init(_ key: QuotaKey, resetsAt: Timestamp? = nil) {
        self.key = key
        self.resetsAt = resetsAt
    }

    /// `metric scope window`, and microseconds since 1970 where use begins anew.
    package init?(text: some StringProtocol) {
        let words = text.split(separator: " " as Character).map { String($0) }
        guard words.count == 3 || words.count == 4, let metric = QuotaMetric(rawValue: words[0]),
            let scope = QuotaScope(rawValue: words[1]), let window = QuotaWindow(rawValue: words[2])
        else { return nil }
        key = QuotaKey(stored: metric, scope, window)
        if words.count == 4 {
            guard let microseconds = Int64(words[3]) else { return nil }
            resetsAt = Timestamp(microseconds: microseconds)
        } else {
            resetsAt = nil
        }
    }

    /// A verdict that begins with the word `quota`; nil: another one.
    init?(verdict: String) {
        guard verdict.hasPrefix("quota ") else { return nil }
        self.init(text: verdict.dropFirst(6))
    }
}
