internal import Glibc

/// A value that several threads share, reached only under its lock. Hold it for a few instructions; resume and call nothing under it.
///
/// A pthread mutex rather than the standard library's `Mutex`: that one hands over inside the kernel (`FUTEX_LOCK_PI`), which the
/// thread sanitizer cannot see, and reports as a race what is none.
///
/// `@unchecked Sendable`: `value` is touched in `withLock` alone.
package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    package func withLock<Answer>(_ body: (inout Value) throws -> Answer) rethrows -> Answer {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
