import ChilPrint

/// How a tenant's pages shall be; `nil`: as they are.
struct PrintingDraft: Equatable, Sendable {
    let scale: PageFit?
    let paper: UsualPaper?
    let mark: MarkSwitch?

    static let nothing = PrintingDraft(scale: nil, paper: nil, mark: nil)
}

extension PageFit: ArgumentChoice {}

enum MarkSwitch: String, ArgumentChoice, Sendable {
    case on
    case off
}

/// What is printed on where nobody asks for a paper.
enum UsualPaper: ArgumentValue, Equatable, Sendable {
    /// Whatever is loaded.
    case any
    case name(PaperName)

    static let expectation = "one of any, \(PaperName.allCases.map(\.rawValue).joined(separator: ", "))"

    init?(argument: String) {
        if argument == "any" {
            self = .any
        } else {
            guard let name = PaperName(rawValue: argument) else { return nil }
            self = .name(name)
        }
    }

    var name: PaperName? {
        switch self {
        case .any: nil
        case .name(let name): name
        }
    }
}
