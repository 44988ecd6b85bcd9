internal import CPostgres

/// A libpq connection string or URI, or the bare name of a database, as settings give it.
package struct DatabaseAddress {
    /// What libpq takes as `dbname`, and expands.
    let text: String
    private let isURI: Bool

    package init(_ url: String) {
        isURI = url.hasPrefix("postgres://") || url.hasPrefix("postgresql://")
        text = isURI || url.contains("=") ? url : "dbname=\(url)"
    }

    /// Why nobody can connect by it; `nil`: it can be read. Nothing of the address is repeated, for there may be a password in any part of it:
    /// libpq itself quotes what it cannot read.
    package var fault: String? {
        var said: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &said) else {
            defer { PQfreemem(said) }
            let words = said.map { String(cString: $0) } ?? "out of memory"
            let reason = words.prefix { $0 != "\"" && $0 != ":" && $0 != "\n" }.split(separator: " ").joined(
                separator: " "
            )
            return "cannot be read (libpq: \(reason))"
        }
        defer { PQconninfoFree(options) }
        var next = options
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val, isCutWrongly(String(cString: keyword), String(cString: value)) {
                return "is cut in the wrong place"
            }
            next += 1
        }
        return nil
    }

    /// Whether it carries a password: what is kept in a file had better not.
    package var hasPassword: Bool { value(of: "password")?.isEmpty == false }

    /// The same place, where every transaction is read-only unless it says otherwise; needs a server that takes `options`.
    package var readingOnly: String {
        let setting = "-c default_transaction_read_only=on"
        let options = value(of: "options").map { $0.isEmpty ? setting : "\($0) \(setting)" } ?? setting
        guard isURI else {
            let quoted = options.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return "\(text) options='\(quoted)'"
        }
        var encoded = ""
        for byte in options.utf8 {
            let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            encoded += isPlain ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text + (text.contains("?") ? "&" : "?") + "options=\(encoded)"
    }

    private func value(of keyword: String) -> String? {
        guard let options = PQconninfoParse(text, nil) else { return nil }
        defer { PQconninfoFree(options) }
        var next = options
        while let name = next.pointee.keyword {
            if String(cString: name) == keyword { return next.pointee.val.map { String(cString: $0) } }
            next += 1
        }
        return nil
    }

    /// What to do about any fault of it.
    package static let remedy =
        "percent-encode what is no letter, digit, '-', '.', '_' or '~' in the user, the password and the database"
        + " (@ is %40, / is %2F, : is %3A, % is %25)"

    /// A password with `@` or `/` in it, not encoded: part of it is taken for the host, the port or the database, and would be named in errors.
    private func isCutWrongly(_ keyword: String, _ value: String) -> Bool {
        switch keyword {
        case "host": isURI && value.contains("@")
        case "port": !value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ",") }
        case "dbname": isURI && value.contains("@")
        default: false
        }
    }
}
