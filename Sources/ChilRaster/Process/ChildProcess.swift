import CLinux
import Glibc

/// One run of a program, without a shell: its bytes in, its bytes out, nothing else. Blocks: for a Dispatch thread.
///
/// The limits are set by prlimit(1) of util-linux, which then becomes the program: between posix_spawn(3) and a limit set from
/// outside the program would run without it.
package struct ChildProcess {
    static let limiter = "/usr/bin/prlimit"
    /// All that its environment says: numbers with a dot, one thread.
    private static let environment = ["LC_ALL=C", "OMP_NUM_THREADS=1"]
    private static let complaintBytesMax = 4_096
    /// How often a child is looked for that has closed its output and not ended.
    private static let pollMicroseconds: UInt32 = 500

    let program: String
    let arguments: [String]
    let limits: ChildLimits

    /// - Parameter program: its path.
    package init(program: String, arguments: [String], limits: ChildLimits = .standard) {
        self.program = program
        self.arguments = arguments
        self.limits = limits
    }

    /// - Returns: what it printed on standard output, once it has ended with status 0.
    package func output(for input: [UInt8]) throws(ChildFault) -> [UInt8] {
        let end = ContinuousClock.now + limits.timeout
        let input = try Descriptor.holding(input)
        defer { input.close() }
        let output = try Descriptor.pipe()
        defer {
            output.reading.close()
            output.writing.close()
        }
        let complaints = try Descriptor.pipe()
        defer {
            complaints.reading.close()
            complaints.writing.close()
        }
        let child = try start([input.number, output.writing.number, complaints.writing.number])
        output.writing.close()
        complaints.writing.close()

        let read = Result { () throws(ChildFault) in
            try self.read(output.reading.number, complaints.reading.number, until: end)
        }
        if case .failure = read { kill(-child, SIGKILL) }
        let status = ended(child, by: end)
        let (bytes, complaint) = try read.get()
        guard let status else { throw .timedOut }
        // wait(2): the low seven bits are the signal, the next byte is the status.
        let signal = status & 0x7F
        guard signal == 0 else { throw signal == SIGXCPU ? .timedOut : .killed(signal) }
        guard status >> 8 == 0 else { throw .failed((status >> 8) & 0xFF, Self.firstLine(complaint)) }
        return bytes
    }

    /// - Parameter standard: becomes 0, 1 and 2 of the child; it gets no other descriptor.
    private func start(_ standard: [Int32]) throws(ChildFault) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (number, descriptor) in standard.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        // The service blocks signals and ignores SIGPIPE; the child begins as a shell would start it, in a group that ends as one.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var words: [UnsafeMutablePointer<CChar>?] =
            ([Self.limiter] + limits.arguments + [program] + arguments).map { strdup($0) } + [nil]
        var settings: [UnsafeMutablePointer<CChar>?] = Self.environment.map { strdup($0) } + [nil]
        defer { for word in words + settings { free(word) } }
        var child: pid_t = 0
        let fault = posix_spawn(&child, Self.limiter, &actions, &attributes, &words, &settings)
        guard fault == 0 else { throw .notStarted(fault) }
        return child
    }

    /// Reads both until both end.
    private func read(
        _ output: Int32,
        _ complaints: Int32,
        until end: ContinuousClock.Instant
    ) throws(ChildFault) -> ([UInt8], [UInt8]) {
        var (bytes, complaint): ([UInt8], [UInt8]) = ([], [])
        var watched = [
            pollfd(fd: output, events: Int16(POLLIN), revents: 0),
            pollfd(fd: complaints, events: Int16(POLLIN), revents: 0),
        ]
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while watched.contains(where: { $0.fd >= 0 }) {
            let left = end - ContinuousClock.now
            guard left > .zero else { throw .timedOut }
            let milliseconds = left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000
            guard poll(&watched, nfds_t(watched.count), Int32(clamping: milliseconds + 1)) >= 0 || errno == EINTR else {
                throw .notStarted(errno)
            }
            for index in watched.indices where watched[index].fd >= 0 && watched[index].revents != 0 {
                let count = Glibc.read(watched[index].fd, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 {
                    watched[index].fd = -1
                } else if index == 1 {
                    complaint += buffer[..<count].prefix(Self.complaintBytesMax - complaint.count)
                } else {
                    guard bytes.count + count <= limits.outputBytesMax else { throw .outputTooLarge }
                    bytes += buffer[..<count]
                }
            }
        }
        return (bytes, complaint)
    }

    /// Waits for it, and takes its status so that no zombie stays.
    ///
    /// - Returns: `nil` if it had to be ended for being late.
    private func ended(_ child: pid_t, by end: ContinuousClock.Instant) -> Int32? {
        var status: Int32 = 0
        var isLate = false
        while true {
            let answer = waitpid(child, &status, isLate ? 0 : WNOHANG)
            if answer == child { return isLate ? nil : status }
            if answer < 0, errno != EINTR { return nil }
            if !isLate, ContinuousClock.now >= end {
                kill(-child, SIGKILL)
                isLate = true
            } else if answer == 0 {
                usleep(Self.pollMicroseconds)
            }
        }
    }

    /// Printable ASCII of the first line: it goes into a log.
    private static func firstLine(_ complaint: [UInt8]) -> String {
        let line = complaint.prefix { $0 != 0x0A }.filter { (0x20..<0x7F).contains($0) }
        return String(decoding: line.prefix(200), as: UTF8.self)
    }
}
