import ChilCore
import ChilPrint
import ChilPrintTestSupport
import Testing

/// What may happen to a job on its way, and how it may end then. Whatever happens: no second paper by our own doing, and no job that is
/// neither printed nor told to be in doubt.
struct Situation: Sendable, CustomTestStringConvertible {
    let name: String
    var faults: [PrinterProxy.Fault] = []
    let ends: Set<PrintJobStatus>

    var testDescription: String { name }

    init(_ name: String, _ faults: [PrinterProxy.Fault] = [], _ ends: Set<PrintJobStatus> = [.completed]) {
        (self.name, self.faults, self.ends) = (name, faults, ends)
    }

    typealias Fault = PrinterProxy.Fault

    /// Those that any printer can be put into from outside.
    static let cuts: [Self] =
        [Self("undisturbed")]
        // Nothing is printed by these requests: lost in whatever way, the job goes on.
        + Self.everywhere(.getPrinterAttributes, "check", [.completed])
        + Self.everywhere(.validateJob, "validation", [.completed])
        + Self.everywhere(.createJob, "create", [.completed])
        + [
            Self("send never arrives", [Fault(.sendDocument, .beforeArrival)]),
            // A printer may call what it got the whole page, or the job in doubt.
            Self("send is cut midway", [Fault(.sendDocument, .midway)], [.completed, .outcomeUnknown, .failed]),
            Self("answer to send is lost", [Fault(.sendDocument, .beforeAnswer)], [.completed, .outcomeUnknown]),
            Self("half of send's answer", [Fault(.sendDocument, .midAnswer)], [.completed, .outcomeUnknown]),
        ]
        + Self.everywhere(.getJobAttributes, "poll", [.completed])
        + [
            Self(
                "answers to create and send are lost",
                [Fault(.createJob, .beforeAnswer), Fault(.sendDocument, .beforeAnswer)],
                [.completed, .outcomeUnknown]
            ),
            Self(
                "create and the search for it are lost",
                [Fault(.createJob, .beforeAnswer), Fault(.getJobs, .beforeAnswer)]
            ),
            Self("three polls are lost", [Fault(.getJobAttributes, .beforeArrival, times: 3)]),
        ]

    private static func everywhere(
        _ operation: PrinterProxy.Operation,
        _ name: String,
        _ ends: Set<PrintJobStatus>
    ) -> [Self] {
        PrinterProxy.Point.allCases.map { Self("\(name), \($0)", [Fault(operation, $0)], ends) }
    }
}
