import ChilCore
import ChilHTTP
import ChilLoop
import Foundation

/// A printer that takes every job (or, if it is told so, none for now), prints for ever, and notes what it was asked (RFC 8011).
final class ScriptedPrinter: Sendable {
    static let jobID: UInt8 = 77

    private let asked = Locked<[UInt16]>([])
    private let listener: Listener
    private let thread: LoopThread
    private let server: HTTPLoop

    init(takesJobs: Bool = true) throws {
        let asked = asked
        listener = try Listener(on: SocketAddress(numericHost: "127.0.0.1", port: 0)!)
        thread = try LoopThread()
        var limits = ServerLimits()
        limits.idleGrace = .zero
        server = HTTPLoop(listener, limits, LoopBalance(), on: thread.loop) { _ in PrinterHandler(asked, takesJobs) }
        let (loop, server) = (thread.loop, server)
        Task(executorPreference: loop) {
            try? await server.run()
            loop.stop()
        }
    }

    var uri: String { "ipp://127.0.0.1:\(listener.address.port)/ipp/print" }

    /// The codes of the operations, in their order.
    var operations: [UInt16] { asked.withLock { $0 } }

    func stop() {
        server.requestStop()
        thread.join()
        listener.close()
    }
}

private final class PrinterHandler: RequestHandler {
    private let asked: Locked<[UInt16]>

    private let takesJobs: Bool

    init(_ asked: Locked<[UInt16]>, _ takesJobs: Bool) {
        self.asked = asked
        self.takesJobs = takesJobs
    }

    func respond(to exchange: Exchange) async -> Response {
        guard let body = try? await exchange.body(atMost: 8 << 20), body.count >= 8 else {
            return Response(.badRequest)
        }
        asked.withLock { $0.append(UInt16(body[2]) << 8 | UInt16(body[3])) }
        var answer: [UInt8] = [2, 0, 0, 0] + body[4..<8] + [0x01]
        answer += Self.attribute(0x47, "attributes-charset", Array("utf-8".utf8))
        answer += Self.attribute(0x48, "attributes-natural-language", Array("en".utf8))
        answer.append(0x02)
        answer += Self.attribute(0x21, "job-id", [0, 0, 0, ScriptedPrinter.jobID])
        answer += Self.attribute(0x23, "job-state", [0, 0, 0, 5])
        answer.append(0x04)
        answer += Self.attribute(0x23, "printer-state", [0, 0, 0, 4])
        answer += Self.attribute(0x22, "printer-is-accepting-jobs", [takesJobs ? 1 : 0])
        answer += Self.attribute(0x49, "document-format-supported", Array("application/pdf".utf8))
        answer.append(0x03)
        return Response(.ok, "application/ipp", .bytes(answer))
    }

    func refusal(_ rejection: ChilHTTP.Rejection) -> Response {
        Response(rejection.status)
    }

    private static func attribute(_ tag: UInt8, _ name: String, _ value: [UInt8]) -> [UInt8] {
        [tag, 0, UInt8(name.utf8.count)] + Array(name.utf8) + [0, UInt8(value.count)] + value
    }
}
