import ChilCore
import Glibc

/// The zone in which people are told times.
struct LocalZone: Sendable {
    /// Seconds east of Greenwich at a moment.
    let offset: @Sendable (Timestamp) -> Int

    /// By the TZ variable, or else the machine's.
    static let ofProcess = LocalZone { moment in
        var seconds = time_t(moment.microseconds / 1_000_000)
        var parts = tm()
        guard localtime_r(&seconds, &parts) != nil else { return 0 }
        return Int(parts.tm_gmtoff)
    }

    /// `2026-11-30 15:00:00+09:00`: with its distance from UTC, for a zone's name may mean several.
    func text(_ moment: Timestamp) -> String {
        let offset = offset(moment)
        let local = Timestamp(microseconds: moment.microseconds + Int64(offset) * 1_000_000)
        let clock = local.description.prefix(19).replacing("T", with: " ")
        let minutes = abs(offset) / 60
        return clock + (offset < 0 ? "-" : "+") + Self.two(minutes / 60) + ":" + Self.two(minutes % 60)
    }

    /// nil: the text is no such time.
    func text(rfc3339 text: String) -> String? {
        Timestamp(rfc3339: text).map { self.text($0) }
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : String(number)
    }
}
