package import ChilMedia

extension IPPPrinter {
    /// Validate-Job: whether the printer would take the job. Many old ones lack it or stumble over it, which says nothing.
    package mutating func validateJob(
        _ ticket: inout PrintTicket,
        format: MediaType,
        for printer: PrinterSnapshot?
    ) async throws(PrintFailure) {
        let name = IPPAttribute("job-name", .name(ticket.jobName))
        let format = IPPAttribute("document-format", .mimeMediaType(format.rawValue))
        for _ in 0..<2 {
            do {
                _ = try await submit(.validateJob, &ticket, for: printer, [name, format])
                return
            } catch {
                switch error {
                case .operationUnsupported: return
                case .badRequest: continue
                default: throw error
                }
            }
        }
    }

    /// Create-Job: prints nothing yet. The number must be stored before `sendDocument`.
    package mutating func createJob(
        _ ticket: inout PrintTicket,
        for printer: PrinterSnapshot?
    ) async throws(PrintFailure) -> RemoteJobID {
        let name = IPPAttribute("job-name", .name(ticket.jobName))
        return try job(in: try await submit(.createJob, &ticket, for: printer, [name]))
    }

    /// Send-Document with the only document: the point of no return. `nil` if the answer has no job state.
    package mutating func sendDocument(
        _ document: PrintBody,
        format: MediaType = .pdf,
        to job: RemoteJobID
    ) async throws(PrintFailure) -> JobSnapshot? {
        let answer = try await perform(
            .sendDocument,
            of: job,
            [
                IPPAttribute("document-format", .mimeMediaType(format.rawValue)),
                IPPAttribute("last-document", .boolean(true)),
            ],
            document: document
        )
        return answer.first(.job).map { JobSnapshot($0) }
    }

    /// Print-Job: job and document at once, for printers without Create-Job.
    package mutating func printJob(
        _ document: PrintBody,
        format: MediaType,
        _ ticket: inout PrintTicket,
        for printer: PrinterSnapshot?
    ) async throws(PrintFailure) -> RemoteJobID {
        let attributes = [
            IPPAttribute("job-name", .name(ticket.jobName)),
            IPPAttribute("document-format", .mimeMediaType(format.rawValue)),
        ]
        return try job(in: try await submit(.printJob, &ticket, for: printer, attributes, document: document))
    }

    package mutating func cancelJob(_ job: RemoteJobID) async throws(PrintFailure) {
        _ = try await perform(.cancelJob, of: job, [])
    }

    /// A request with the ticket's attributes. When the printer refuses some, no job was made: they are left out and it is asked again,
    /// as long as the page comes out on the paper that it was drawn for.
    private mutating func submit(
        _ operation: Operation,
        _ ticket: inout PrintTicket,
        for printer: PrinterSnapshot?,
        _ attributes: [IPPAttribute],
        document: PrintBody? = nil
    ) async throws(PrintFailure) -> IPPMessage {
        while true {
            let sent = ticket.attributes(for: printer)
            let answer = try await exchange(operation, attributes, job: sent, document: document)
            guard let failure = PrintFailure(status: answer.code) else { return answer }
            let named = answer.groups.filter { $0.kind == .unsupported }.flatMap { $0.attributes.map(\.name) }
            guard failure == .attributesUnsupported, ticket.drop(named, of: sent.map(\.name), for: printer) else {
                throw failure
            }
        }
    }

    private func job(in answer: IPPMessage) throws(PrintFailure) -> RemoteJobID {
        guard let id = answer.first(.job).map({ JobSnapshot($0) })?.id else {
            throw .answerLost(detail: "no job-id in the answer")
        }
        return id
    }
}
