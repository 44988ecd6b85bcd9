import Glibc

/// The environment as a dictionary.
enum ProcessEnvironment {
    static var all: [String: String] {
        var all: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if let equals = text.firstIndex(of: "=") {
                all[String(text[..<equals])] = String(text[text.index(after: equals)...])
            }
            next += 1
        }
        return all
    }
}

enum StandardError {
    static func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

enum Release {
    static let version = "0.1.0"
}
