import ChilCore
import ChilHTTP
import ChilLoop
import Foundation

/// As many IPP printers as there are paths, which count their papers: `/p/0`, `/p/1` … Each prints one job at a time, says busy to a second
/// one, and is done a moment after it has the document.
final class PaperMill: Sendable {
    struct State {
        /// A job that a printer has taken and not finished: its number, its name, and when its document was there.
        var open: [String: (number: Int32, name: String, sentAt: ContinuousClock.Instant?)] = [:]
        var ended: [String: [Int32: Bool]] = [:]
        var counts: [String: Int32] = [:]
        /// The names of the jobs that were printed, in their order.
        var papers: [String: [String]] = [:]
        var busyAnswers = 0
        /// What each printer was last sent.
        var documents: [String: [UInt8]] = [:]
        var cancels = 0
        /// Documents are taken, and their answers kept back.
        var holdsAnswers = false
    }

    let state = Locked(State())
    private let listener: Listener
    private let thread: LoopThread
    private let server: HTTPLoop

    /// - Parameter printing: how long a page takes.
    init(printing: Duration = .milliseconds(5)) throws {
        let state = state
        listener = try Listener(on: SocketAddress(numericHost: "127.0.0.1", port: 0)!)
        thread = try LoopThread()
        var limits = ServerLimits()
        limits.idleGrace = .zero
        let loop = thread.loop
        server = HTTPLoop(listener, limits, LoopBalance(), on: loop) { _ in MillHandler(state, loop, printing) }
        let server = server
        Task(executorPreference: loop) {
            try? await server.run()
            loop.stop()
        }
    }

    func uri(_ number: Int) -> String { "ipp://127.0.0.1:\(listener.address.port)/p/\(number)" }

    var papers: [String: [String]] { state.withLock { $0.papers } }
    var paperCount: Int { papers.values.reduce(0) { $0 + $1.count } }

    func stop() {
        state.withLock { $0.holdsAnswers = false }
        server.requestStop()
        thread.join()
        listener.close()
    }
}

private final class MillHandler: RequestHandler {
    private let state: Locked<PaperMill.State>
    private let loop: EventLoop
    private let printing: Duration

    init(_ state: Locked<PaperMill.State>, _ loop: EventLoop, _ printing: Duration) {
        self.state = state
        self.loop = loop
        self.printing = printing
    }

    func respond(to exchange: Exchange) async -> Response {
        guard let body = try? await exchange.body(atMost: 8 << 20), body.count >= 8 else {
            return Response(.badRequest)
        }
        let place = String(decoding: exchange.head.target, as: UTF8.self)
        let operation = UInt16(body[2]) << 8 | UInt16(body[3])
        let number = Self.number(in: body)
        var status: UInt16 = 0
        var job: (number: Int32, state: Int32)?
        switch operation {
        case 0x0005:
            (status, job) = create(Self.name(in: body), at: place)
        case 0x0006:
            job = (number, 5)
            state.withLock { state in
                guard state.open[place]?.number == number else { return }
                state.open[place]?.sentAt = .now
                state.documents[place] = body.firstRange(of: Array("%PDF-".utf8)).map { Array(body[$0.lowerBound...]) }
                state.papers[place, default: []].append(state.open[place]?.name ?? "")
            }
            while state.withLock({ $0.holdsAnswers }) { await loop.sleep(.milliseconds(20)) }
        case 0x0008:
            state.withLock { state in
                state.cancels += 1
                if state.open[place]?.number == number { state.open[place] = nil }
                state.ended[place, default: [:]][number] = false
            }
            job = (number, 7)
        case 0x0009:
            finish(at: place)
            let ended = state.withLock { $0.ended[place]?[number] }
            job = (number, ended.map { $0 ? 9 : 7 } ?? 5)
        default: break
        }
        return Self.answer(status, to: body, job)
    }

    private func create(_ name: String, at place: String) -> (UInt16, (number: Int32, state: Int32)?) {
        finish(at: place)
        return state.withLock { state in
            guard state.open[place] == nil else {
                state.busyAnswers += 1
                return (0x0507, nil)
            }
            let number = state.counts[place, default: 0] + 1
            state.counts[place] = number
            state.open[place] = (number, name, nil)
            return (0, (number, 4))
        }
    }

    /// What has had its time is done.
    private func finish(at place: String) {
        state.withLock { state in
            guard let job = state.open[place], let sent = job.sentAt, .now >= sent + printing else { return }
            state.open[place] = nil
            state.ended[place, default: [:]][job.number] = true
        }
    }

    func refusal(_ rejection: ChilHTTP.Rejection) -> Response { Response(rejection.status) }

    private static func answer(_ status: UInt16, to request: [UInt8], _ job: (number: Int32, state: Int32)?) -> Response
    {
        var answer: [UInt8] = [2, 0, UInt8(status >> 8), UInt8(status & 0xFF)] + request[4..<8] + [0x01]
        answer += attribute(0x47, "attributes-charset", Array("utf-8".utf8))
        answer += attribute(0x48, "attributes-natural-language", Array("en".utf8))
        if let job {
            answer.append(0x02)
            answer += attribute(0x21, "job-id", bytes(job.number))
            answer += attribute(0x23, "job-state", bytes(job.state))
        }
        answer.append(0x04)
        answer += attribute(0x23, "printer-state", bytes(3))
        answer += attribute(0x22, "printer-is-accepting-jobs", [1])
        answer += attribute(0x49, "document-format-supported", Array("application/pdf".utf8))
        answer.append(0x03)
        return Response(.ok, "application/ipp", .bytes(answer))
    }

    private static func bytes(_ number: Int32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private static func attribute(_ tag: UInt8, _ name: String, _ value: [UInt8]) -> [UInt8] {
        [tag, 0, UInt8(name.utf8.count)] + Array(name.utf8) + [0, UInt8(value.count)] + value
    }

    /// What stands behind the attribute's name: two bytes of length, and so many.
    private static func value(of name: String, in body: [UInt8]) -> [UInt8]? {
        let head = Array(body.prefix(4_096))
        guard let place = head.firstRange(of: [0, UInt8(name.utf8.count)] + Array(name.utf8))?.upperBound,
            place + 2 <= head.count
        else { return nil }
        let count = Int(head[place]) << 8 | Int(head[place + 1])
        return place + 2 + count <= head.count ? Array(head[(place + 2)..<(place + 2 + count)]) : nil
    }

    private static func name(in body: [UInt8]) -> String {
        value(of: "job-name", in: body).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func number(in body: [UInt8]) -> Int32 {
        (value(of: "job-id", in: body) ?? []).reduce(0) { $0 << 8 | Int32($1) }
    }
}
