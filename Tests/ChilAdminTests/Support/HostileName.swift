import ChilTestSupport

@testable import ChilAdmin

/// Names that want to be more than a name.
enum HostileName {
    /// By class: words of the command line, lines, sequences of a terminal, directions, widths, marks, quotes.
    static let own = [
        "--", "-", "--help", "-o", "--=", "a\nb", "a\r\nb", "a\tb", "\u{1B}[2J\u{1B}[H", "\u{1B}]0;title\u{7}",
        "\u{9B}31mred",
        "\u{1B}]8;;http://a.example\u{1B}\\link\u{1B}]8;;\u{1B}\\", "\u{1B}P+q\u{1B}\\", "a\u{202E}b",
        "\u{2066}a\u{2069}", "\u{200B}",
        "가나다", "한글 e\u{301}\u{302}", "👩‍👩‍👧‍👦", "🇰🇷🇯🇵", "👍🏽", "ｗｉｄｅ", "ก็็็็", "\u{1100}\u{1161}\u{11A8}", "=1+1", "a,\"b\",c",
        "  two  spaces  ",
        "\u{7F}\u{8}", "'; drop table tenant; --", "$(id)`id`", "%s%n%p", "\\x1b[31m", "\u{2028}", "﷽",
    ]

    /// With some of each class of the Big List of Naughty Strings.
    static func all() throws -> [String] {
        let list = try naughtyStrings()
        let chosen = stride(from: 1, to: list.count, by: 6).map { list[$0] } + list.filter { $0.utf8.contains(0x1B) }
        var seen: Set<[UInt8]> = []
        return (own + chosen).filter { !$0.isEmpty && !$0.utf8.contains(0) && seen.insert(Array($0.utf8)).inserted }
    }

    /// As CSV has it: what a terminal would obey is a picture, line feeds and tabs stay.
    static func inCSV(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            let one = String(scalar)
            text += scalar == "\n" || scalar == "\t" ? one : CleanText.clean(one)
        }
        return text
    }
}
