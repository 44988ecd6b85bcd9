import ChilCore
package import ChilPrint
import Foundation

/// A printer that is played: it does what RFC 8011 says, one job after another, and counts the paper that comes out. Time passes for it by
/// the requests that it gets.
package final class PeerPrinter: Sendable {
    package struct Job: Sendable {
        package let id: Int32
        package let name: String
        package var state: JobSnapshot.State = .pendingHeld
        package var hasDocument = false
        package var byteCount = 0
        /// Its document did not arrive whole.
        package var hasHalf = false
        /// Requests since it has had its document.
        package var age = 0

        package var isOver: Bool { state.isFinal }
    }

    /// How it behaves; changed while it runs.
    package struct Manner: Sendable {
        package var operations: [Int32] = [2, 4, 5, 6, 8, 9, 10, 11]
        package var formats = ["application/pdf", "image/jpeg"]
        package var creationAttributes = ["media-col", "print-scaling"]
        package var media = ["iso_a4_210x297mm", "na_letter_8.5x11in"]
        package var isAccepting = true
        package var hasPaper = true
        /// Requests until a page begins, and until it is out.
        package var agePrinting = 2
        package var ageCompleted = 4
        /// A status that it answers an operation with, so often.
        package var refusals: [(operation: UInt16, status: UInt16, times: Int)] = []
        /// Attributes that it refuses in a job, whatever it says of itself.
        package var refusedAttributes: Set<String> = []
        /// Finished jobs are forgotten at once.
        package var isForgetful = false
        /// What it has of a document is printed when its job is taken back, and the job forgotten.
        package var printsHalves = false
        package var chunks = Chunks.taken

        package init() {}
    }

    /// What it does with requests in chunks.
    package enum Chunks: Sendable, CaseIterable {
        case taken
        /// 411 and 400 of HTTP.
        case lengthRequired, badRequest
        /// The connection ends without a word.
        case cut
        /// It reads a body of no bytes, and answers that.
        case readsNothing
        /// So it does with documents alone.
        case documentLengthRequired, documentCut
    }

    private struct State {
        var framings: [(operation: UInt16, isChunked: Bool)] = []
        var manner = Manner()
        var jobs: [Job] = []
        var papers: [String] = []
        var isStopped = false
        var upTime: Int32 = 1_000
        var requested: [IPPMessage] = []
    }

    package let port: UInt16
    private let listener: Int32
    private let state = Locked(State())

    package init(_ change: (inout Manner) -> Void = { _ in }) throws {
        (listener, port) = try PeerSocket.listen()
        state.withLock { change(&$0.manner) }
        Thread.detachNewThread { [self] in accept() }
    }

    package var uri: String { "ipp://localhost:\(port)/ipp/print" }
    package var jobs: [Job] { state.withLock { $0.jobs } }
    /// The names of the jobs whose paper came out, one for each time.
    package var papers: [String] { state.withLock { $0.papers } }
    package var requests: [IPPMessage] { state.withLock { $0.requested } }

    /// How requests of an operation came, in their order.
    package func isChunked(_ operation: UInt16) -> [Bool] {
        state.withLock { $0.framings.filter { $0.operation == operation }.map(\.isChunked) }
    }

    package func change(_ change: (inout Manner) -> Void) {
        state.withLock { change(&$0.manner) }
    }

    /// Switched off and on: it counts its jobs from 1 again, and knows none.
    package func restart() {
        state.withLock { state in
            state.jobs = []
            state.upTime = 1
        }
    }

    /// It loses a job that it has, as one does whose power was cut.
    package func forget() {
        state.withLock { $0.jobs = [] }
    }

    /// All that it has been given comes out, if it is not canceled.
    package func finish() {
        for _ in 0..<16 { state.withLock { Self.age(&$0) } }
    }

    package func stop() {
        state.withLock { $0.isStopped = true }
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            if client < 0 { return }
            Thread.detachNewThread { [self] in
                let request = PeerSocket.message(from: client)
                if request.isWhole {
                    PeerSocket.send(refusal(of: request) ?? answer(to: request.payload), to: client)
                } else if request.operation == 0x0006 || request.operation == 0x0002 {
                    cutShort(request.payload)
                }
                shutdown(client, Int32(SHUT_RDWR))
                close(client)
            }
        }
    }

    /// Of a request that came in chunks; nothing: the connection ends.
    private func refusal(of request: HTTPPiece) -> [UInt8]? {
        let operation = request.operation ?? 0
        let chunks = state.withLock { state in
            state.framings.append((operation, request.isChunked))
            return state.manner.chunks
        }
        guard request.isChunked else { return nil }
        let isDocument = operation == 0x0006 || operation == 0x0002
        switch chunks {
        case .documentLengthRequired where !isDocument, .documentCut where !isDocument, .taken: return nil
        case .lengthRequired, .documentLengthRequired:
            return Array("HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\n\r\n".utf8)
        case .badRequest: return Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)
        case .cut, .documentCut: return []
        case .readsNothing:
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: 9\r\n\r\n"
            return Array(head.utf8) + [2, 0, 4, 0, 0, 0, 0, 0, 3]
        }
    }

    /// A document that did not arrive whole is thrown away (as `multiple-operation-time-out` does in the end); its job goes on waiting for
    /// one. A Print-Job without all of its document is no job.
    private func cutShort(_ body: [UInt8]) {
        guard let request = try? IPPMessage(decoding: body) else { return }
        state.withLock { state in
            state.requested.append(request)
            guard let id = request.first(.operation)?.first("job-id")?.number else { return }
            for index in state.jobs.indices where state.jobs[index].id == id { state.jobs[index].hasHalf = true }
        }
    }

    private func answer(to body: [UInt8]) -> [UInt8] {
        guard let request = try? IPPMessage(decoding: body), let head = try? request.encoded() else {
            return Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)
        }
        let document = body.count - head.count
        let (status, groups) = state.withLock { state in
            state.requested.append(request)
            return Self.answer(&state, request, document)
        }
        let answer = IPPMessage(
            version: request.version,
            code: status,
            requestID: request.requestID,
            groups: [
                IPPMessage.Group(
                    .operation,
                    [
                        IPPAttribute("attributes-charset", .charset("utf-8")),
                        IPPAttribute("attributes-natural-language", .naturalLanguage("en")),
                    ]
                )
            ] + groups
        )
        let bytes = (try? answer.encoded()) ?? []
        let lines = "HTTP/1.1 200 OK\r\nContent-Type: application/ipp\r\nContent-Length: \(bytes.count)\r\n\r\n"
        return Array(lines.utf8) + bytes
    }

    private static func answer(
        _ state: inout State,
        _ request: IPPMessage,
        _ documentBytes: Int
    ) -> (UInt16, [IPPMessage.Group]) {
        age(&state)
        if let index = state.manner.refusals.firstIndex(where: { $0.operation == request.code && $0.times > 0 }) {
            state.manner.refusals[index].times -= 1
            return (state.manner.refusals[index].status, [])
        }
        guard state.manner.operations.contains(Int32(request.code)) else { return (0x0501, []) }
        let asked = request.first(.operation)
        let id = asked?.first("job-id")?.number
        let index = state.jobs.firstIndex { $0.id == id }
        switch request.code {
        case 0x0002, 0x0004, 0x0005: return submission(&state, request, documentBytes)
        case 0x0006:
            guard let index else { return (0x0406, []) }
            if state.jobs[index].isOver { return (0x0404, []) }
            if state.jobs[index].hasDocument { return (0x0509, []) }
            take(&state.jobs[index], documentBytes)
            return (0, [group(of: state.jobs[index])])
        case 0x0008:
            guard let index else { return (0x0406, []) }
            if state.jobs[index].isOver { return (0x0404, []) }
            state.jobs[index].state = .canceled
            if state.manner.printsHalves, state.jobs[index].hasHalf {
                state.papers.append(state.jobs.remove(at: index).name)
            }
            return (0, [])
        case 0x0009:
            guard let index else { return (0x0406, []) }
            let group = group(of: state.jobs[index])
            if state.manner.isForgetful, state.jobs[index].isOver { state.jobs.remove(at: index) }
            return (0, [group])
        case 0x000A:
            let isCompleted = asked?.first("which-jobs")?.string == "completed"
            return (0, state.jobs.filter { $0.isOver == isCompleted }.map(group))
        case 0x000B: return (0, [printer(state)])
        default: return (0x0501, [])
        }
    }

    private static func submission(
        _ state: inout State,
        _ request: IPPMessage,
        _ documentBytes: Int
    ) -> (UInt16, [IPPMessage.Group]) {
        let asked = request.first(.operation)
        if let format = asked?.first("document-format")?.string, !state.manner.formats.contains(format) {
            return (0x040A, [])
        }
        let refused = request.first(.job)?.attributes.filter { state.manner.refusedAttributes.contains($0.name) } ?? []
        if !refused.isEmpty {
            return (0x040B, [IPPMessage.Group(.unsupported, refused)])
        }
        if !state.manner.isAccepting { return (0x0506, []) }
        if request.code == 0x0004 { return (0, []) }
        // One at a time, as small printers are.
        if state.jobs.contains(where: { !$0.isOver }) { return (0x0507, []) }
        let last = state.jobs.map(\.id).max() ?? 0
        var job = Job(id: last + 1, name: asked?.first("job-name")?.string ?? "")
        if request.code == 0x0002 { take(&job, documentBytes) }
        state.jobs.append(job)
        return (0, [group(of: job)])
    }

    private static func take(_ job: inout Job, _ count: Int) {
        (job.hasDocument, job.byteCount, job.state) = (true, count, .pending)
    }

    private static func age(_ state: inout State) {
        state.upTime += 1
        for index in state.jobs.indices where state.jobs[index].hasDocument && !state.jobs[index].isOver {
            guard state.manner.hasPaper || state.jobs[index].state == .pending else { continue }
            state.jobs[index].age += 1
            if state.jobs[index].age >= state.manner.ageCompleted {
                state.jobs[index].state = .completed
                state.papers.append(state.jobs[index].name)
            } else if state.jobs[index].age >= state.manner.agePrinting {
                state.jobs[index].state = .processing
            }
        }
    }

    private static func group(of job: Job) -> IPPMessage.Group {
        IPPMessage.Group(
            .job,
            [
                IPPAttribute("job-id", .integer(job.id)), IPPAttribute("job-name", .name(job.name)),
                IPPAttribute("job-state", .enumeration(job.state.rawValue)),
                IPPAttribute(
                    "job-state-reasons",
                    .keyword(job.state == .pendingHeld ? "job-data-insufficient" : "none")
                ),
                IPPAttribute("job-impressions-completed", .integer(job.state == .completed ? 1 : 0)),
            ]
        )
    }

    private static func printer(_ state: State) -> IPPMessage.Group {
        let manner = state.manner
        let isBusy = state.jobs.contains { $0.state == .processing }
        return IPPMessage.Group(
            .printer,
            [
                IPPAttribute("printer-state", .enumeration(isBusy ? 4 : 3)),
                IPPAttribute("printer-state-reasons", .keyword(manner.hasPaper ? "none" : "media-empty-warning")),
                IPPAttribute("printer-is-accepting-jobs", .boolean(manner.isAccepting)),
                IPPAttribute("document-format-supported", values: manner.formats.map { .mimeMediaType($0) }),
                IPPAttribute("operations-supported", values: manner.operations.map { .enumeration($0) }),
                IPPAttribute(
                    "job-creation-attributes-supported",
                    values: manner.creationAttributes.map { .keyword($0) }
                ),
                IPPAttribute("print-scaling-supported", .keyword("none"), .keyword("fit")),
                IPPAttribute("sides-supported", .keyword("one-sided")),
                IPPAttribute("media-supported", values: manner.media.map { .keyword($0) }),
                IPPAttribute("printer-up-time", .integer(state.upTime)),
            ]
        )
    }
}
