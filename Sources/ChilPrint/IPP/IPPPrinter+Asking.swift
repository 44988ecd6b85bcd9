extension IPPPrinter {
    /// What a printer's list of jobs is read to.
    private static let jobCountMax: Int32 = 200

    /// Get-Printer-Attributes. The first call of all: it settles the version.
    package mutating func getPrinterAttributes() async throws(PrintFailure) -> PrinterSnapshot {
        PrinterSnapshot(try await printerAttributes(PrinterSnapshot.attributeNames))
    }

    /// The printer's state alone, for a poll.
    package mutating func getPrinterCondition() async throws(PrintFailure) -> PrinterSnapshot {
        PrinterSnapshot(try await printerAttributes(PrinterSnapshot.conditionNames))
    }

    package mutating func getJobAttributes(of job: RemoteJobID) async throws(PrintFailure) -> JobSnapshot {
        let names = IPPAttribute("requested-attributes", values: JobSnapshot.attributeNames.map { .keyword($0) })
        let answer = try await perform(.getJobAttributes, of: job, [names])
        guard let group = answer.first(.job) else {
            throw .answerLost(detail: "no job in the answer to Get-Job-Attributes")
        }
        return JobSnapshot(group)
    }

    /// Get-Jobs: the jobs that are not over yet, or those that are, as far as the printer remembers.
    package mutating func getJobs(areCompleted: Bool) async throws(PrintFailure) -> [JobSnapshot] {
        let answer = try await perform(
            .getJobs,
            [
                IPPAttribute("limit", .integer(Self.jobCountMax)),
                IPPAttribute("requested-attributes", values: JobSnapshot.attributeNames.map { .keyword($0) }),
                IPPAttribute("which-jobs", .keyword(areCompleted ? "completed" : "not-completed")),
            ]
        )
        return answer.groups.filter { $0.kind == .job }.map { JobSnapshot($0) }
    }

    private mutating func printerAttributes(_ names: [String]) async throws(PrintFailure) -> IPPMessage.Group {
        let wanted = IPPAttribute("requested-attributes", values: names.map { .keyword($0) })
        let answer = try await performInSomeVersion(.getPrinterAttributes, [wanted])
        guard let group = answer.first(.printer) else {
            throw .answerLost(detail: "no printer in the answer to Get-Printer-Attributes")
        }
        return group
    }
}
