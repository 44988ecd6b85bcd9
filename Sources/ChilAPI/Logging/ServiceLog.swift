import ChilCore
import Glibc

/// Lines for operators, on standard error unless told otherwise. No tenant's data, no tokens, no addresses of people: ids and codes only.
struct ServiceLog: Sendable {
    enum Form: String, Sendable, CaseIterable {
        case human, json, off
    }

    enum Level: String, Sendable {
        case info, warning, error
    }

    let form: Form
    /// An open file.
    var descriptor = STDERR_FILENO

    /// - Parameters:
    ///   - message: written by us, without anybody's data.
    ///   - fields: names and values; control characters are escaped in both forms, so that a line stays a line.
    func write(_ level: Level, _ message: StaticString, _ fields: [(StaticString, String)] = []) {
        guard form != .off else { return }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let now = Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
        var line = ByteWriter(capacity: 256)
        switch form {
        case .off: return
        case .json:
            line.append("{\"time\":")
            line.append(json: now)
            line.append(",\"level\":")
            line.append(json: level.rawValue)
            line.append(",\"message\":")
            line.append(json: "\(message)")
            for (name, value) in fields {
                line.append(",")
                line.append(json: "\(name)")
                line.append(":")
                line.append(json: value)
            }
            line.append("}\n")
        case .human:
            line.append(rfc3339: now)
            line.append(" ")
            line.append(unescaped: level.rawValue)
            line.append(" ")
            line.append(message)
            for (name, value) in fields {
                line.append(" ")
                line.append(name)
                line.append("=")
                line.append(json: value)
            }
            line.append("\n")
        }
        // One write(2) a line: lines of several loops don't mix. A reader that has gone is no reason to stop.
        line.withBytes { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
