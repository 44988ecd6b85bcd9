/// `chiladmin completion`
struct CompletionCommand: AdminCommand {
    enum Shell: String, ArgumentChoice { case bash, zsh, fish }

    static let effect = Effect.reads
    static let guide = CommandGuide(
        path: ["completion"],
        summary: "the script that completes words in bash, zsh or fish",
        examples: [
            .init("source <(chiladmin completion bash)", "in ~/.bashrc"),
            .init("source <(chiladmin completion zsh)", "in ~/.zshrc, after compinit"),
            .init("chiladmin completion fish > ~/.config/fish/completions/chiladmin.fish", "once"),
        ],
        arguments: [.init(name: "SHELL", summary: "bash, zsh or fish")],
        remarks: [
            "Tenants, printers, users and so on are asked of the database, as the operator's role, for at most 300 ms; if it cannot be",
            "asked there are none, and nothing is said. Names that the shell would act on are quoted.",
        ]
    )

    let shell: Shell

    init(_ words: inout ArgumentReader) throws(UsageError) {
        shell = try words.next()
    }

    func run(_ services: any AdminServices) async throws(AdminFault) -> Listing<ScriptLine> {
        Listing(texts: shell.script.split(separator: "\n").map { ScriptLine(text: String($0)) })
    }
}

struct ScriptLine: ListingRow, Equatable {
    let text: String

    static let columns: [Column<Self>] = [Column("line") { .text($0.text) }]
}

extension CompletionCommand.Shell {
    /// The words up to the cursor go to the hidden command `__complete`; a line each comes back.
    var script: String {
        switch self {
        case .bash:
            """
            _chiladmin() {
                local word line
                COMPREPLY=()
                while IFS= read -r line; do
                    printf -v word '%q' "$line"
                    COMPREPLY+=("$word")
                done < <("${COMP_WORDS[0]}" __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
            }
            complete -F _chiladmin chiladmin
            """
        case .zsh:
            """
            #compdef chiladmin
            _chiladmin() {
                local -a found
                found=("${(@f)$("${(Q)words[1]}" __complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
                found=("${(@)found:#}")
                (( $#found )) && compadd -- "${(@)found}"
            }
            compdef _chiladmin chiladmin
            """
        case .fish:
            """
            function __chiladmin_complete
                set -l before (commandline -opc)
                set -l current (commandline -ct)
                $before[1] __complete -- $before[2..-1] "$current" 2>/dev/null
            end
            complete -c chiladmin -f -a '(__chiladmin_complete)'
            """
        }
    }
}
