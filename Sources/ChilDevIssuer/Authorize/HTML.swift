import ChilCore
import ChilHTTP

/// A page that is being written; what comes from outside goes through `text` alone.
struct HTML {
    private var writer = ByteWriter(capacity: 4_096)

    init(title: String) {
        raw(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>"
        )
        text(title)
        raw("</title>")
    }

    /// The program's own markup.
    mutating func raw(_ markup: String) {
        writer.append(unescaped: markup)
    }

    /// Text, or the value of an attribute in double quotes.
    mutating func text(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): writer.append("&amp;")
            case UInt8(ascii: "<"): writer.append("&lt;")
            case UInt8(ascii: ">"): writer.append("&gt;")
            case UInt8(ascii: "\""): writer.append("&quot;")
            case UInt8(ascii: "'"): writer.append("&#39;")
            default: writer.append(byte: byte)
            }
        }
    }

    mutating func hidden(_ name: String, _ value: String) {
        raw("<input type=\"hidden\" name=\"")
        text(name)
        raw("\" value=\"")
        text(value)
        raw("\">")
    }

    /// - Parameter script: the source expression of the one script that may run (CSP Level 3, §2.3.1).
    func response(_ status: Status, script: String? = nil) -> Response {
        var response = Response(status, "text/html; charset=utf-8", .bytes(writer.bytes))
        response.add("Cache-Control", "no-store")
        let scripts = script.map { "; script-src \($0)" } ?? ""
        response.add("Content-Security-Policy", "default-src 'none'; base-uri 'none'; frame-ancestors 'none'\(scripts)")
        response.add("Referrer-Policy", "no-referrer")
        return response
    }
}
