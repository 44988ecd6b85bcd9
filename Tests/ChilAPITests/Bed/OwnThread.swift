import Dispatch
import Testing

/// A thread for one test. The tests here block: on sockets, on child processes. On the shared pool they would hold up others,
/// and a busy pool would spoil what they time.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "chil.test")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}

/// Runs each test of a suite on a thread of its own.
struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil ? nil : self
    }

    @concurrent
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(OwnThread()) { try await function() }
    }
}

extension Trait where Self == OwnThreadTrait {
    static var ownThread: Self { Self() }
}
