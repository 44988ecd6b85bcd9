/// How rows are written to standard output.
enum OutputFormat: String, ArgumentChoice {
    case table
    case json
}
