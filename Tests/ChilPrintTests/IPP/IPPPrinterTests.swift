import ChilPrint
import Testing

/// A printer that answers from a list and keeps what it was asked.
private final class ScriptedPrinter {
    private(set) var requests: [IPPMessage] = []
    private(set) var documents: [[UInt8]?] = []
    private var answers: [(IPPMessage) -> Result<[UInt8], IPPTransportError>]

    init(_ answers: [(IPPMessage) -> Result<[UInt8], IPPTransportError>]) {
        self.answers = answers
    }

    var transport: IPPTransport {
        IPPTransport { [self] head, document throws(IPPTransportError) in
            guard let request = try? IPPMessage(decoding: head), !answers.isEmpty else {
                throw .notSent(detail: "script")
            }
            requests.append(request)
            documents.append(document?.bytesAtHand)
            return try answers.removeFirst()(request).get()
        }
    }
}

private func answer(_ status: UInt16, _ groups: IPPMessage.Group...) -> (IPPMessage) -> Result<
    [UInt8], IPPTransportError
> {
    { request in
        let operation = IPPMessage.Group(
            .operation,
            [
                IPPAttribute("attributes-charset", .charset("utf-8")),
                IPPAttribute("attributes-natural-language", .naturalLanguage("en")),
            ]
        )
        let message = IPPMessage(
            version: request.version,
            code: status,
            requestID: request.requestID,
            groups: [operation] + groups
        )
        return .success((try? message.encoded()) ?? [])
    }
}

private func error(_ error: IPPTransportError) -> (IPPMessage) -> Result<[UInt8], IPPTransportError> {
    { _ in .failure(error) }
}

private let idle = IPPMessage.Group(.printer, [IPPAttribute("printer-state", .enumeration(3))])
private let jobSeven = IPPMessage.Group(
    .job,
    [
        IPPAttribute("job-id", .integer(7)), IPPAttribute("job-state", .enumeration(4)),
        IPPAttribute("job-name", .name("chil-1-2-3 그림")),
        IPPAttribute("job-state-reasons", .keyword("job-data-insufficient")),
    ]
)

@Suite("IPP printer")
struct IPPPrinterTests {
    private func made(_ script: ScriptedPrinter) throws -> IPPPrinter {
        IPPPrinter(uri: try PrinterURI("ipp://printer:8631/ipp/print"), transport: script.transport)
    }

    @Test(arguments: [UInt16(0x0503), 0x0400]) func versionFallsBackAndStays(_ status: UInt16) async throws {
        let script = ScriptedPrinter([answer(status), answer(0, idle), answer(0, jobSeven)])
        var printer = try made(script)
        #expect(try await printer.getPrinterAttributes().state == 3)
        _ = try await printer.getJobAttributes(of: RemoteJobID(number: 7))
        #expect(script.requests.map(\.version) == [.v2_0, .v1_1, .v1_1])
        #expect(script.requests.map(\.requestID) == [1, 2, 3])
    }

    @Test func versionFallsBackToTheOldest() async throws {
        let script = ScriptedPrinter([
            error(.httpStatus(400)), answer(0x0503), answer(0, idle), answer(0, idle),
        ])
        var printer = try made(script)
        for _ in 0..<2 { #expect(try await printer.getPrinterAttributes().state == 3) }
        #expect(script.requests.map(\.version) == [.v2_0, .v1_1, .v1_0, .v1_0])
    }

    @Test func printersThatKnowNoVersionAreRefused() async throws {
        let script = ScriptedPrinter([answer(0x0503), answer(0x0503), answer(0x0503), answer(0, idle)])
        var printer = try made(script)
        await #expect(throws: PrintFailure.versionUnsupported) { try await printer.getPrinterAttributes() }
        #expect(script.requests.count == 3)
        // It may have been updated since.
        #expect(try await printer.getPrinterAttributes().state == 3)
        #expect(script.requests.last?.version == .v2_0)
    }

    @Test func busyPrintersAreNotAskedInOtherVersions() async throws {
        let script = ScriptedPrinter([answer(0x0507)])
        var printer = try made(script)
        await #expect(throws: PrintFailure.busy) { try await printer.getPrinterAttributes() }
        #expect(script.requests.count == 1)
    }

    @Test func jobIsCreatedAndThenSent() async throws {
        let script = ScriptedPrinter([answer(0x0001, jobSeven), answer(0, jobSeven), answer(0)])
        var printer = try made(script)
        var ticket = PrintTicket(jobName: "chil-1-2-3 그림")
        let id = try await printer.createJob(&ticket, for: nil)
        #expect(id.number == 7)
        #expect(try await printer.sendDocument(.whole([1, 2, 3]), to: id)?.state == .pendingHeld)
        try await printer.cancelJob(id)

        #expect(script.requests.map(\.code) == [5, 6, 8])
        #expect(script.documents == [nil, [1, 2, 3], nil])
        for request in script.requests {
            let names = request.groups[0].attributes.map(\.name)
            #expect(names.prefix(3) == ["attributes-charset", "attributes-natural-language", "printer-uri"])
        }
        let send = script.requests[1].groups[0]
        #expect(send.attributes[3] == IPPAttribute("job-id", .integer(7)))
        #expect(send.first("last-document") == .boolean(true))
        #expect(send.first("document-format") == .mimeMediaType("application/pdf"))
    }

    @Test(arguments: [
        (UInt16(0x0507), PrintFailure.busy), (0x0502, .busy), (0x0506, .notAccepting), (0x0406, .notFound),
        (0x0407, .notFound), (0x040E, .attributesUnsupported), (0x0404, .notPossible), (0x0403, .forbidden),
        (0x040A, .formatUnsupported),
        (0x040B, .attributesUnsupported), (0x0501, .operationUnsupported), (0x0408, .tooLarge),
        (0x0411, .documentRefused), (0x0508, .jobCanceled), (0x0509, .documentAlreadySent),
        (0x0504, .temporary(status: 0x0504)), (0x0500, .temporary(status: 0x0500)), (0x04FF, .other(status: 0x04FF)),
        (0x0300, .other(status: 0x0300)),
    ])
    func statusIsAFailure(_ status: UInt16, failure: PrintFailure) async throws {
        var printer = try made(ScriptedPrinter([answer(status)]))
        await #expect(throws: failure) { try await printer.cancelJob(RemoteJobID(number: 7)) }
        let waits: Set<PrintFailure> = [.busy, .notAccepting, .temporary(status: 0x0504), .temporary(status: 0x0500)]
        #expect(failure.isRetryable == waits.contains(failure))
        #expect(failure.sentence.hasSuffix("."))
    }

    @Test(arguments: [
        (IPPTransportError.notSent(detail: "x"), PrintFailure.unreachable(detail: "x")),
        (.answerLost(detail: "x"), .answerLost(detail: "x")), (.httpStatus(426), .secureOnly),
        (.certificateChanged, .certificateChanged), (.certificateExpired, .certificateExpired),
        (.httpStatus(401), .forbidden), (.httpStatus(404), .noSuchResource), (.httpStatus(413), .tooLarge),
        (.httpStatus(503), .busy), (.httpStatus(400), .badRequest), (.httpStatus(502), .answerLost(detail: "HTTP 502")),
        (.httpStatus(301), .answerLost(detail: "HTTP 301")),
    ])
    func transportErrorIsAFailure(_ cause: IPPTransportError, failure: PrintFailure) async throws {
        var printer = try made(ScriptedPrinter([error(cause)]))
        await #expect(throws: failure) { try await printer.cancelJob(RemoteJobID(number: 7)) }
    }

    @Test func unreadableAnswersAreLostOnes() async throws {
        let other = IPPMessage(version: .v2_0, code: 0, requestID: 99, groups: [])
        let foreign = try other.encoded()
        let scripts: [(IPPMessage) -> Result<[UInt8], IPPTransportError>] = [
            { _ in .success([]) }, { _ in .success(Array("<html>".utf8)) }, { _ in .success(foreign) }, answer(0),
        ]
        for script in scripts {
            var printer = try made(ScriptedPrinter([script]))
            do {
                var ticket = PrintTicket(jobName: "a")
                _ = try await printer.createJob(&ticket, for: nil)
                Issue.record("was taken")
            } catch {
                guard case .answerLost = error else { Issue.record("\(error)"); continue }
            }
        }
    }

    @Test func jobAttributesAreOnlyThoseThatThePrinterTakes() async throws {
        let able = IPPMessage.Group(
            .printer,
            [
                IPPAttribute("job-creation-attributes-supported", .keyword("media-col"), .keyword("copies")),
                IPPAttribute("print-scaling-supported", .keyword("auto"), .keyword("none")),
                IPPAttribute("sides-supported", .keyword("one-sided")),
            ]
        )
        let old = IPPMessage.Group(.printer, [IPPAttribute("media-supported", .keyword("iso_a4_210x297mm"))])
        for (group, expected) in [(able, ["media-col", "print-scaling", "sides"]), (old, ["media"]), (idle, [])] {
            let script = ScriptedPrinter([answer(0, group), answer(0, jobSeven)])
            var printer = try made(script)
            let snapshot = try await printer.getPrinterAttributes()
            var ticket = PrintTicket(jobName: "a")
            _ = try await printer.createJob(&ticket, for: snapshot)
            #expect((script.requests[1].first(.job)?.attributes.map(\.name) ?? []) == expected)
        }
    }
}
