package import ChilMedia

/// The operations that printing needs (RFC 8011 §4), each one request and one answer.
package struct IPPPrinter {
    enum Operation: UInt16 {
        case createJob = 0x0005
        case sendDocument = 0x0006
        case cancelJob = 0x0008
        case getJobAttributes = 0x0009
        case getJobs = 0x000A
        case getPrinterAttributes = 0x000B
    }

    /// What a printer's list of jobs is read to.
    private static let jobCountMax: Int32 = 200

    package let uri: PrinterURI
    package let userName: String
    private let transport: IPPTransport
    /// Goes down once if the printer asks for it, and stays there.
    package private(set) var version = IPPMessage.Version.v2_0
    private var lastRequestID: Int32 = 0

    package init(uri: PrinterURI, userName: String = "chilapi", transport: IPPTransport) {
        self.uri = uri
        self.userName = userName
        self.transport = transport
    }

    /// Get-Printer-Attributes. The first call of all: it settles the version.
    package mutating func getPrinterAttributes() async throws(PrintFailure) -> PrinterSnapshot {
        PrinterSnapshot(try await printerAttributes(PrinterSnapshot.attributeNames))
    }

    /// The printer's state alone, for a poll.
    package mutating func getPrinterCondition() async throws(PrintFailure) -> PrinterSnapshot {
        PrinterSnapshot(try await printerAttributes(PrinterSnapshot.conditionNames))
    }

    /// Create-Job: prints nothing yet. The number must be stored before `sendDocument`.
    package mutating func createJob(
        _ ticket: PrintTicket,
        for printer: PrinterSnapshot?
    ) async throws(PrintFailure) -> RemoteJobID {
        let attributes = ticket.attributes(for: printer)
        let answer = try await perform(
            .createJob,
            [IPPAttribute("job-name", .name(ticket.jobName))],
            job: attributes.isEmpty ? nil : attributes
        )
        guard let id = answer.first(.job).map({ JobSnapshot($0) })?.id else {
            throw .answerLost(detail: "no job-id in the answer to Create-Job")
        }
        return id
    }

    /// Send-Document with the only document: the point of no return. `nil` if the answer has no job state.
    package mutating func sendDocument(
        _ document: [UInt8],
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

    package mutating func getJobAttributes(of job: RemoteJobID) async throws(PrintFailure) -> JobSnapshot {
        let names = IPPAttribute("requested-attributes", values: JobSnapshot.attributeNames.map { .keyword($0) })
        let answer = try await perform(.getJobAttributes, of: job, [names])
        guard let group = answer.first(.job) else {
            throw .answerLost(detail: "no job in the answer to Get-Job-Attributes")
        }
        return JobSnapshot(group)
    }

    package mutating func cancelJob(_ job: RemoteJobID) async throws(PrintFailure) {
        _ = try await perform(.cancelJob, of: job, [])
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
        let answer: IPPMessage
        do {
            answer = try await perform(.getPrinterAttributes, [wanted])
        } catch {
            // Old printers answer a version they don't know with either (also as HTTP 400).
            guard error == .versionUnsupported || error == .badRequest, version != .v1_1 else { throw error }
            version = .v1_1
            answer = try await perform(.getPrinterAttributes, [wanted])
        }
        guard let group = answer.first(.printer) else {
            throw .answerLost(detail: "no printer in the answer to Get-Printer-Attributes")
        }
        return group
    }

    /// The order of the first attributes is the protocol's (RFC 8011 §4.1.4, §4.1.5).
    private mutating func perform(
        _ operation: Operation,
        of target: RemoteJobID? = nil,
        _ attributes: [IPPAttribute],
        job: [IPPAttribute]? = nil,
        document: [UInt8]? = nil
    ) async throws(PrintFailure) -> IPPMessage {
        lastRequestID = lastRequestID == .max ? 1 : lastRequestID + 1
        var first = [
            IPPAttribute("attributes-charset", .charset("utf-8")),
            IPPAttribute("attributes-natural-language", .naturalLanguage("en")),
            IPPAttribute("printer-uri", .uri(uri.description)),
        ]
        if let target {
            guard let number = target.number else { throw .notFound }
            first.append(IPPAttribute("job-id", .integer(number)))
        }
        first.append(IPPAttribute("requesting-user-name", .name(userName)))
        let request = IPPMessage(
            version: version,
            code: operation.rawValue,
            requestID: lastRequestID,
            groups: [IPPMessage.Group(.operation, first + attributes)]
                + (job.map { [IPPMessage.Group(.job, $0)] } ?? [])
        )
        let head: [UInt8]
        do { head = try request.encoded() } catch { throw .badRequest }
        let bytes: [UInt8]
        do { bytes = try await transport.exchange(head, document) } catch { throw PrintFailure(error) }
        let answer: IPPMessage
        do {
            answer = try IPPMessage(decoding: bytes)
        } catch {
            throw .answerLost(detail: error.sentence)
        }
        guard answer.requestID == request.requestID else { throw .answerLost(detail: "an answer to another request") }
        if let failure = PrintFailure(status: answer.code) { throw failure }
        return answer
    }
}
