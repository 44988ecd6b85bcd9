import ChilCore
import Foundation

/// Stands between the service and a printer, and loses what it is told to lose. It counts what it passes on.
package final class PrinterProxy: Sendable {
    package enum Operation: UInt16, Sendable, CaseIterable {
        case printJob = 0x0002
        case validateJob = 0x0004
        case createJob = 0x0005
        case sendDocument = 0x0006
        case cancelJob = 0x0008
        case getJobAttributes = 0x0009
        case getJobs = 0x000A
        case getPrinterAttributes = 0x000B
    }

    /// Where a connection breaks. Whether the printer has got the request is the difference.
    package enum Point: Sendable, CaseIterable {
        /// The printer never hears of it.
        case beforeArrival
        /// The printer has half of it.
        case midway
        /// The printer has done it; its answer is lost.
        case beforeAnswer
        /// Half of the answer arrives.
        case midAnswer
    }

    package struct Fault: Sendable {
        package let operation: Operation
        package let point: Point
        /// How many such requests pass before it.
        package var after = 0
        /// How many are broken then.
        package var times = 1
        /// Done when it breaks, before the connection is cut.
        package var act: (@Sendable () -> Void)?

        package init(
            _ operation: Operation,
            _ point: Point,
            after: Int = 0,
            times: Int = 1,
            act: (@Sendable () -> Void)? = nil
        ) {
            (self.operation, self.point, self.after, self.times, self.act) = (operation, point, after, times, act)
        }
    }

    private struct State {
        var faults: [Fault] = []
        var seen: [UInt16] = []
        var listener: Int32?
        /// Instead of the printer's own: a whole HTTP message.
        var answers: [(operation: Operation, bytes: [UInt8])] = []
    }

    package let port: UInt16
    private let target: UInt16
    private let state = Locked(State())

    package init(to target: UInt16, _ faults: [Fault] = []) throws {
        let (listener, port) = try PeerSocket.listen()
        self.port = port
        self.target = target
        state.withLock {
            $0.faults = faults
            $0.listener = listener
        }
        accept(on: listener)
    }

    package var uri: String { "ipp://localhost:\(port)/ipp/print" }

    /// The operations that were asked for, in their order.
    package var operations: [Operation] { state.withLock { $0.seen.compactMap { Operation(rawValue: $0) } } }

    package func lose(_ faults: [Fault]) { state.withLock { $0.faults = faults } }

    /// The next request of this operation gets these bytes, and the printer never hears of it.
    package func answer(_ operation: Operation, with bytes: [UInt8]) {
        state.withLock { $0.answers.append((operation, bytes)) }
    }

    /// Nobody listens any more, as if the printer were switched off.
    package func switchOff() {
        let listener = state.withLock { state in
            defer { state.listener = nil }
            return state.listener
        }
        guard let listener else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    package func switchOn() throws {
        guard state.withLock({ $0.listener == nil }) else { return }
        let (listener, _) = try PeerSocket.listen(on: port)
        state.withLock { $0.listener = listener }
        accept(on: listener)
    }

    private func accept(on listener: Int32) {
        Thread.detachNewThread { [self] in
            while true {
                let client = Glibc.accept(listener, nil, nil)
                if client < 0 { return }
                Thread.detachNewThread { [self] in
                    serve(client)
                    shutdown(client, Int32(SHUT_RDWR))
                    close(client)
                }
            }
        }
    }

    private func serve(_ client: Int32) {
        let request = PeerSocket.message(from: client)
        guard request.isWhole, let number = request.operation else { return }
        let (fault, instead) = state.withLock { state -> (Fault?, [UInt8]?) in
            state.seen.append(number)
            let operation = Operation(rawValue: number)
            if let index = state.answers.firstIndex(where: { $0.operation == operation }) {
                return (nil, state.answers.remove(at: index).bytes)
            }
            guard let index = state.faults.firstIndex(where: { $0.operation == operation }) else { return (nil, nil) }
            if state.faults[index].after > 0 {
                state.faults[index].after -= 1
                return (nil, nil)
            }
            let fault = state.faults[index]
            state.faults[index].times -= 1
            if state.faults[index].times <= 0 { state.faults.remove(at: index) }
            return (fault, nil)
        }
        if let instead {
            PeerSocket.send(instead, to: client)
            return
        }
        if let fault, fault.point == .beforeArrival {
            fault.act?()
            return
        }
        guard let printer = PeerSocket.connect(to: target) else { return }
        defer {
            shutdown(printer, Int32(SHUT_RDWR))
            close(printer)
        }
        if let fault, fault.point == .midway {
            PeerSocket.send(request.bytes[..<((request.headCount ?? 0) + request.body.count / 2)], to: printer)
            fault.act?()
            return
        }
        PeerSocket.send(request.bytes, to: printer)
        let answer = PeerSocket.message(from: printer)
        switch fault?.point {
        case .beforeAnswer: fault?.act?()
        case .midAnswer:
            PeerSocket.send(answer.bytes[..<(answer.bytes.count - answer.body.count / 2)], to: client)
            fault?.act?()
        default: PeerSocket.send(answer.bytes, to: client)
        }
    }
}
