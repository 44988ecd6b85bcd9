/// One value of a row, before it is known whether it becomes a cell or JSON.
enum Field: Equatable, Sendable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case list([String])
    case none

    static func optional(_ text: String?) -> Self { text.map { .text($0) } ?? .none }

    /// As a cell: names from data are cleaned, a missing value is a dash.
    var cell: String {
        switch self {
        case .text(let text): text.isEmpty ? "\"\"" : CleanText.clean(text)
        case .number(let number): String(number)
        case .flag(let flag): flag ? "yes" : "no"
        case .list(let texts): texts.isEmpty ? "-" : CleanText.clean(texts.joined(separator: ", "))
        case .none: "-"
        }
    }

    var isNumber: Bool {
        if case .number = self { true } else { false }
    }

    var isFlag: Bool {
        if case .flag = self { true } else { false }
    }
}
