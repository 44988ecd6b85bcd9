import ChilCore
import ChilPrint
import ChilStore

/// A print's number, as `job list` and the service show it.
struct JobNumber: ArgumentValue, Equatable, Sendable {
    static let expectation = "a print's number, as `chiladmin job list` shows it"

    let id: PrintJobID

    init?(argument: String) {
        guard let number = Int64(argument: argument), (1..<1 << 53).contains(number) else { return nil }
        id = PrintJobID(rawValue: number)
    }
}

/// Which prints are listed.
struct JobQuery: Equatable, Sendable {
    struct Count: ArgumentValue {
        static let expectation = "a number from 1 to 1000"

        let count: Int

        init?(argument: String) {
            guard let number = Int64(argument: argument), (1...1_000).contains(number) else { return nil }
            count = Int(number)
        }
    }

    struct State: ArgumentValue, Equatable {
        static var expectation: String { "one of " + PrintJobState.allCases.map(\.rawValue).joined(separator: ", ") }

        let state: PrintJobState

        init?(argument: String) {
            guard let state = PrintJobState(rawValue: argument) else { return nil }
            self.state = state
        }
    }

    let state: State?
    let printer: String?
    let countMax: Int
}

/// What somebody says who has looked at the printer.
enum JobOutcome: String, ArgumentChoice, Sendable {
    case printed
    case notPrinted = "not-printed"

    var asTold: PrintOutcome {
        switch self {
        case .printed: .printed
        case .notPrinted: .notPrinted
        }
    }
}

/// How far the workers are behind with a tenant's prints, or with all work.
struct JobQueueLag: Equatable, Sendable {
    let due: Int64
    /// Of the oldest; `nil`: none is due.
    let seconds: Int64?
}
