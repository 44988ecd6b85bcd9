import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore
import Glibc

/// Writes every quarter of a minute that this process is there, and what it is at. One a process, on a loop.
final class ServiceBeater {
    private let database: DatabaseClient
    private let shared: SharedState
    private let loop: EventLoop
    private let report: WorkReport
    private let stopping: StopFlag
    private var beat: ServiceBeat
    /// Microseconds of processor time, and when.
    private var lastLoad: (used: Int64, at: Int64)

    init(
        _ shared: SharedState,
        _ database: DatabaseClient,
        on loop: EventLoop,
        _ report: WorkReport,
        _ stopping: StopFlag
    ) {
        self.shared = shared
        self.database = database
        self.loop = loop
        self.report = report
        self.stopping = stopping
        beat = ServiceBeat(
            replica: Self.name(),
            release: Release.version,
            roles: shared.configuration.roles.rawValue,
            loops: Int32(clamping: shared.configuration.loops),
            startedAt: loop.wallClock
        )
        lastLoad = (Self.processorMicroseconds(), loop.monotonicNow)
    }

    /// Until the process stops. What cannot be written is written the next time: nothing waits for it.
    func run() async {
        var next = loop.monotonicNow
        while !stopping.isRaised {
            if loop.monotonicNow >= next {
                next = loop.monotonicNow + ServiceBeat.interval.wholeMicroseconds * 1_000
                look()
                try? await beat.write(on: database)
            }
            await loop.sleep(.milliseconds(250))
        }
        try? await ServiceBeat.remove(beat.replica, on: database)
    }

    private func look() {
        let now = loop.wallClock
        shared.traffic.withLock { $0.take(into: &beat, at: now) }
        let (used, at) = (Self.processorMicroseconds(), loop.monotonicNow)
        let microseconds = max(1, (at - lastLoad.at) / 1_000)
        beat.loadMilli = Int32(clamping: (used - lastLoad.used) * 1_000 / microseconds)
        beat.memoryBytes = Self.residentBytes()
        beat.sweptAt = report.sweptAt
        lastLoad = (used, at)
    }

    /// The machine, the process and a number, so that a process that comes again is another.
    private static func name() -> String {
        var letters = [CChar](repeating: 0, count: 65)
        _ = gethostname(&letters, letters.count - 1)
        let host = String(decoding: letters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return "\(host)-\(getpid())-\(String(UInt16.random(in: .min ... .max), radix: 16))"
    }

    private static func processorMicroseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    /// The second number of proc_pid_statm(5), in pages.
    private static func residentBytes() -> Int64 {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 128)
        let count = read(file, &bytes, bytes.count)
        let words = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        guard words.count > 1, let pages = Int64(words[1]) else { return 0 }
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
