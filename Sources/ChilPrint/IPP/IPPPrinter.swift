/// The operations that printing needs (RFC 8011 §4), each one request and one answer.
package struct IPPPrinter {
    enum Operation: UInt16 {
        case printJob = 0x0002
        case validateJob = 0x0004
        case createJob = 0x0005
        case sendDocument = 0x0006
        case cancelJob = 0x0008
        case getJobAttributes = 0x0009
        case getJobs = 0x000A
        case getPrinterAttributes = 0x000B
    }

    /// From the best on. A printer that knows none of them is no printer for this house.
    private static let versions = [IPPMessage.Version.v2_0, .v1_1, .v1_0]

    package let uri: PrinterURI
    package let userName: String
    private let transport: IPPTransport
    /// Goes down if the printer asks for it, and stays there.
    package private(set) var version = IPPMessage.Version.v2_0
    private var lastRequestID: Int32 = 0

    package init(uri: PrinterURI, userName: String = "chilapi", transport: IPPTransport) {
        self.uri = uri
        self.userName = userName
        self.transport = transport
    }

    /// A request that an old printer may not understand for its version: they answer one that they don't know with "version not
    /// supported" or "bad request", the latter also as HTTP 400.
    mutating func performInSomeVersion(
        _ operation: Operation,
        _ attributes: [IPPAttribute]
    ) async throws(PrintFailure) -> IPPMessage {
        var refusal = PrintFailure.versionUnsupported
        for next in Self.versions.drop(while: { $0 != version }) {
            version = next
            do {
                return try await perform(operation, attributes)
            } catch {
                guard error == .versionUnsupported || error == .badRequest else { throw error }
                refusal = error
            }
        }
        version = .v2_0
        throw refusal
    }

    mutating func perform(
        _ operation: Operation,
        of target: RemoteJobID? = nil,
        _ attributes: [IPPAttribute],
        document: PrintBody? = nil
    ) async throws(PrintFailure) -> IPPMessage {
        let answer = try await exchange(operation, of: target, attributes, document: document)
        if let failure = PrintFailure(status: answer.code) { throw failure }
        return answer
    }

    /// An answer of whatever status. The order of the first attributes is the protocol's (RFC 8011 §4.1.4, §4.1.5).
    mutating func exchange(
        _ operation: Operation,
        of target: RemoteJobID? = nil,
        _ attributes: [IPPAttribute],
        job: [IPPAttribute] = [],
        document: PrintBody? = nil
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
                + (job.isEmpty ? [] : [IPPMessage.Group(.job, job)])
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
        return answer
    }
}
