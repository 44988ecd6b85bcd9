import ChilConsole
import ChilCore
import Dispatch
import Glibc

/// Reads keys, signals and the clock on a thread of its own, and tells of them as events.
final class ConsoleInput: Sendable {
    private let device: TerminalDevice
    private let events: AsyncStream<ConsoleEvent>.Continuation
    private let isStopped = Locked(false)
    /// Written to when it shall end.
    private let wake: Int32
    private let woken: Int32

    private static let tick: Int64 = 1_000
    /// How long an escape may wait for what follows it.
    private static let escapePatience: Int64 = 40

    init(_ device: TerminalDevice, _ events: AsyncStream<ConsoleEvent>.Continuation) {
        self.device = device
        self.events = events
        var pair: [Int32] = [-1, -1]
        pipe(&pair)
        (woken, wake) = (pair[0], pair[1])
    }

    deinit {
        close(wake)
        close(woken)
    }

    func start() {
        DispatchQueue(label: "console.input").async { self.run() }
    }

    func stop() {
        isStopped.withLock { $0 = true }
        var byte: UInt8 = 0
        _ = write(wake, &byte, 1)
    }

    private func run() {
        var decoder = InputDecoder()
        var next = Self.milliseconds() + Self.tick
        while !isStopped.withLock({ $0 }) {
            var places = [STDIN_FILENO, TerminalRescue.signals, woken].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let pause = decoder.waits ? Self.escapePatience : max(0, next - Self.milliseconds())
            let count = poll(&places, nfds_t(places.count), Int32(pause))
            if count == 0, decoder.waits { decoder.flush().forEach { events.yield(.input($0)) } }
            if Self.milliseconds() >= next {
                next = Self.milliseconds() + Self.tick
                events.yield(.tick(Self.now()))
            }
            if count <= 0 { continue }
            if places[1].revents != 0 { takeSignals() }
            if places[0].revents != 0 {
                guard let bytes = Self.read(STDIN_FILENO) else {
                    // The terminal is gone.
                    events.yield(.ended)
                    return
                }
                for input in decoder.received(bytes) { events.yield(.input(input)) }
            }
        }
    }

    private func takeSignals() {
        for byte in Self.read(TerminalRescue.signals) ?? [] {
            switch Int32(byte) {
            case SIGWINCH: events.yield(.resized(device.size))
            case SIGTSTP: events.yield(.input(.key(.control("z"))))
            case SIGCONT: events.yield(.resumed)
            default: events.yield(.ended)
            }
        }
    }

    /// `nil`: the end.
    private static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count < 0, errno == EAGAIN || errno == EINTR { return [] }
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    private static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}
