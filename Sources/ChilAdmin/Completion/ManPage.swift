/// The manual page chiladmin(1), made from the same guides as `--help`: written by the hidden `__man`.
enum ManPage {
    static func text(_ table: CommandTable) -> String {
        var page = """
            .TH CHILADMIN 1 2026-12-01 "chiladmin \(Program.version)" "ChilAPI"
            .SH NAME
            chiladmin \\- manage tenants, quotas and printers of ChilAPI
            .SH SYNOPSIS
            .B chiladmin
            .I NOUN VERB
            .RI [ WORDS ]
            .RI [ FLAGS ]
            .br
            .B chiladmin help
            .RI [ TOPIC | NOUN
            .RI [ VERB ]]
            .SH DESCRIPTION
            Everything an operator does with ChilAPI's database: a noun, a verb, then words and flags in any order.
            Nothing is abbreviated.

            """
        page += ".SH FLAGS OF EVERY COMMAND\n" + GlobalFlags.all.map(flag).joined()
        page += ".SH COMMANDS\n" + table.commands.map { command($0.guide) }.joined()
        for topic in HelpTopic.allCases {
            page += ".SH \(escaped(topic.rawValue.replacing("-", with: " ").uppercased()))\n.nf\n"
            let lines = topic.page.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2)
            page += lines.map { $0.isEmpty ? ".sp\n" : escaped(String($0)) + "\n" }.joined()
            while page.hasSuffix(".sp\n") { page.removeLast(4) }
            page += ".fi\n"
        }
        return page
    }

    private static func command(_ guide: CommandGuide) -> String {
        var text = ".SS \(escaped(guide.name))\n\(escaped(sentence(guide.summary)))\n"
        text += guide.examples.map { ".TP\n.B \(quoted($0.line))\n\(escaped(sentence($0.does)))\n" }.joined()
        text += ".PP\n\(escaped(guide.usage))\n"
        text += guide.arguments.map { ".TP\n.I \($0.name)\n\(escaped(sentence($0.summary)))\n" }.joined()
        text += guide.flags.map(flag).joined()
        if !guide.remarks.isEmpty { text += ".PP\n" + guide.remarks.map { escaped($0) + "\n" }.joined() }
        return text
    }

    private static func flag(_ flag: CommandGuide.Flag) -> String {
        let value = flag.placeholder.map { " \\fI\(escaped($0))\\fR" } ?? ""
        return ".TP\n\\fB\(escaped(flag.name))\\fR\(value)\n\(escaped(sentence(flag.summary)))\n"
    }

    private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

    private static func quoted(_ text: String) -> String {
        "\"" + escaped(text, atStart: false).replacing("\"", with: "\\(dq") + "\""
    }

    /// roff's own characters; a line that begins with a dot or a quote would be a request.
    private static func escaped(_ text: String, atStart: Bool = true) -> String {
        let clean = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
            .replacing("`", with: "\\(ga").replacing("^", with: "\\(ha").replacing("~", with: "\\(ti")
        return atStart && clean.hasPrefix(".") ? "\\&" + clean : clean
    }
}
