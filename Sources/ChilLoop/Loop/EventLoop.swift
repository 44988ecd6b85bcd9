internal import CLinux
package import ChilCore
internal import Glibc
internal import Synchronization

/// One thread that waits on epoll(7) and runs everything that belongs to it: sockets, timers and Swift jobs.
///
/// It is the executor of the actors made for it, so `async` code of such an actor stays on this thread from request to reply.
///
/// `@unchecked Sendable`: all state but `remote` and `thread` is touched on the loop's own thread only; every entry that may come from
/// elsewhere (`enqueue`, `post`, `stop`) goes through `remote`.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    /// What other threads handed over and the loop has not taken yet.
    struct Remote {
        var jobs: [UnownedJob] = []
        var calls: [@Sendable () -> Void] = []
        var isRung = false
        var isStopping = false
    }

    private let epoll: Int32
    private let bell: Int32
    private let remote = Locked(Remote())
    /// The `pthread_t` that is in `run()`, 0 for none. Other threads read it too.
    private let thread = Atomic<UInt>(0)

    private var local: [UnownedJob] = []
    private var running: [UnownedJob] = []
    var registrations = RegistrationTable()
    var timers = TimerHeap()
    private var turnEnders: [any TurnEnder] = []
    private var endingNow: [any TurnEnder] = []

    /// Monotonic time of this turn, in nanoseconds (`CLOCK_MONOTONIC`).
    package private(set) var monotonicNow: Int64 = 0
    /// Where `wallClock` stands still, on the loop only. nil, as every program leaves it: it is the system's. Set by tests, for which
    /// a token must be of an exact age.
    package var stoppedWallClock: Timestamp?
    /// The loop's number within the process, from 0.
    package let index: Int

    /// - Throws: `LoopError` when the kernel gives no descriptor.
    package init(index: Int = 0) throws(LoopError) {
        self.index = index
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .system("epoll_create1", errno) }
        bell = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard bell >= 0 else {
            let code = errno
            Glibc.close(epoll)
            throw .system("eventfd", code)
        }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64.max))
        epoll_ctl(epoll, EPOLL_CTL_ADD, bell, &event)
        readClock()
    }

    deinit {
        Glibc.close(bell)
        Glibc.close(epoll)
    }

    package var isCurrentThread: Bool {
        thread.load(ordering: .relaxed) == pthread_self()
    }

    // MARK: Executor

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrentThread {
            local.append(job)
        } else {
            let mustRing = remote.withLock { remote in
                remote.jobs.append(job)
                defer { remote.isRung = true }
                return !remote.isRung
            }
            if mustRing { ring() }
        }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        UnownedTaskExecutor(ordinary: self)
    }

    package func checkIsolated() {
        precondition(isCurrentThread, "called outside its event loop")
    }

    package func isIsolatingCurrentContext() -> Bool? {
        isCurrentThread
    }

    /// Runs `call` on the loop's thread, soon. From any thread.
    package func post(_ call: @escaping @Sendable () -> Void) {
        let mustRing = remote.withLock { remote in
            remote.calls.append(call)
            defer { remote.isRung = true }
            return !remote.isRung
        }
        if mustRing { ring() }
    }

    /// Ends `run()` after the current turn. From any thread; what is still waiting is dropped.
    package func stop() {
        remote.withLock { $0.isStopping = true }
        ring()
    }

    // MARK: The loop

    /// Runs on the calling thread until `stop()`.
    package func run() {
        thread.store(pthread_self(), ordering: .relaxed)
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Self.eventsPerTurnMax)
        defer { events.deallocate() }
        let serial = asUnownedSerialExecutor()
        let task = asUnownedTaskExecutor()
        var mustTakeRemote = true
        while true {
            if mustTakeRemote, takeRemote() { break }
            runJobs(serial, task)
            endTurn()
            if !local.isEmpty { runJobs(serial, task) }
            mustTakeRemote = wait(events)
            fireTimers()
        }
    }

    private func runJobs(_ serial: UnownedSerialExecutor, _ task: UnownedTaskExecutor) {
        var roundsLeft = Self.roundsPerTurnMax
        while !local.isEmpty, roundsLeft > 0 {
            roundsLeft -= 1
            swap(&local, &running)
            for job in running {
                job.runSynchronously(isolatedTo: serial, taskExecutor: task)
            }
            running.removeAll(keepingCapacity: true)
        }
    }

    /// Takes what other threads handed over. True when the loop shall stop.
    private func takeRemote() -> Bool {
        var calls: [@Sendable () -> Void] = []
        let isStopping = remote.withLock { remote in
            local.append(contentsOf: remote.jobs)
            remote.jobs.removeAll(keepingCapacity: true)
            swap(&calls, &remote.calls)
            remote.isRung = false
            return remote.isStopping
        }
        for call in calls { call() }
        return isStopping
    }

    /// Twice, for one that ends may hand what it has gathered to another.
    private func endTurn() {
        for _ in 0..<2 where !turnEnders.isEmpty {
            swap(&turnEnders, &endingNow)
            for ender in endingNow { ender.turnEnds() }
            endingNow.removeAll(keepingCapacity: true)
        }
    }

    /// Waits for descriptors or the next timer. True when another thread rang.
    private func wait(_ events: UnsafeMutablePointer<epoll_event>) -> Bool {
        let patience: Int32 =
            if !local.isEmpty || !turnEnders.isEmpty { 0 } else { timers.millisecondsToNext(from: monotonicNow) }
        let count = epoll_wait(epoll, events, Int32(Self.eventsPerTurnMax), patience)
        readClock()
        var rang = false
        if count > 0 {
            for index in 0..<Int(count) {
                let event = events[index]
                if event.data.u64 == UInt64.max {
                    var rings: UInt64 = 0
                    Glibc.read(bell, &rings, 8)
                    rang = true
                } else {
                    registrations.handler(event.data.u64)?.descriptorIsReady(Readiness(rawValue: event.events))
                }
            }
        }
        return rang
    }

    private func ring() {
        var one: UInt64 = 1
        Glibc.write(bell, &one, 8)
    }

    private func readClock() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        monotonicNow = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    // MARK: What loop-bound code asks for

    /// Calls `ender.turnEnds()` once, at the end of this turn: the place to flush what a turn has gathered.
    package func atTurnEnd(_ ender: any TurnEnder) {
        turnEnders.append(ender)
    }

    /// Watches a descriptor until `unwatch`. Edge-triggered unless `isLevelTriggered`.
    package func watch(
        _ descriptor: Int32,
        for interest: Readiness,
        isLevelTriggered: Bool = false,
        isExclusive: Bool = false,
        _ handler: any ReadinessHandler
    ) throws(LoopError) -> Registration {
        let registration = registrations.add(handler, descriptor)
        var mask = interest.rawValue
        if !isLevelTriggered { mask |= EPOLLET.rawValue }
        if isExclusive { mask |= EPOLLEXCLUSIVE.rawValue }
        var event = epoll_event(events: mask, data: epoll_data_t(u64: registration.token))
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            let code = errno
            registrations.remove(registration)
            throw .system("epoll_ctl", code)
        }
        return registration
    }

    /// Changes what a level-triggered descriptor is watched for.
    package func rewatch(_ registration: Registration, for interest: Readiness) {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: registration.token))
        epoll_ctl(epoll, EPOLL_CTL_MOD, registration.descriptor, &event)
    }

    /// Forgets a descriptor; events of this turn that name it are dropped. Call it before closing the descriptor.
    package func unwatch(_ registration: Registration) {
        var event = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, registration.descriptor, &event)
        registrations.remove(registration)
    }

    private static let eventsPerTurnMax = 256
    /// Jobs that enqueue jobs may not keep the loop from its sockets for ever.
    private static let roundsPerTurnMax = 64
}
