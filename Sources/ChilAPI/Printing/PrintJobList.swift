import ChilCore
import ChilHTTP
import ChilStore

/// The query of `GET print-jobs`.
struct PrintJobList {
    static let limitDefault = 50

    let state: PrintJobState?
    let before: PrintJobID?
    let limit: Int

    init(_ call: Call, _ session: Session, _ cursor: ListCursor) throws(Problem) {
        let query: QueryItems
        do {
            query = try call.head.queryItems()
        } catch {
            throw .malformedRequest("\(error.remedy)")
        }
        var faults: [Problem.FieldFault] = []
        var state: PrintJobState?
        var limit = Self.limitDefault
        var cursorText: String?
        for (name, value) in query.items {
            switch name {
            case "status":
                state = PrintJobState(rawValue: value)
                if state == nil {
                    let words = PrintJobState.allCases.map(\.rawValue).joined(separator: ", ")
                    faults.append(Problem.FieldFault(pointer: "/status", detail: "Send one of: \(words)."))
                }
            case "limit":
                if let number = Int(decimal: value), (1...PrintJobPage.countMax).contains(number) {
                    limit = number
                } else {
                    let detail = "Send a number from 1 to \(PrintJobPage.countMax)."
                    faults.append(Problem.FieldFault(pointer: "/limit", detail: detail))
                }
            case "cursor": cursorText = value
            default:
                faults.append(Problem.FieldFault(pointer: "/" + name.prefix(64), detail: "There is no such parameter."))
            }
        }
        var before: PrintJobID?
        if let cursorText {
            before = cursor.printJob(cursorText, of: session.user, in: session.tenant, state: state)
            if before == nil {
                let detail = "Send nextCursor of the same list, unchanged."
                faults.append(Problem.FieldFault(pointer: "/cursor", detail: detail))
            }
        }
        guard faults.isEmpty else { throw .invalidFields(faults) }
        self.state = state
        self.before = before
        self.limit = limit
    }
}
