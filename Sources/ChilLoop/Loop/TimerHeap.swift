/// Calls to be made at a time: a binary heap by deadline.
///
/// Requests don't set timers: their deadlines are looked at by a sweep a few times a second. Timers are for what is rare.
struct TimerHeap {
    private struct Entry {
        let deadline: Int64
        let sequence: UInt64
        let call: () -> Void
    }

    private var entries: [Entry] = []
    private var pending: Set<UInt64> = []
    private var cancelled: Set<UInt64> = []
    private var sequence: UInt64 = 0

    mutating func add(at deadline: Int64, _ call: @escaping () -> Void) -> LoopTimer {
        sequence += 1
        pending.insert(sequence)
        entries.append(Entry(deadline: deadline, sequence: sequence, call: call))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard isBefore(child, parent) else { break }
            entries.swapAt(child, parent)
            child = parent
        }
        return LoopTimer(sequence: sequence)
    }

    /// Forgets a timer; one that has fired already is nothing.
    mutating func cancel(_ timer: LoopTimer) {
        guard pending.remove(timer.sequence) != nil else { return }
        cancelled.insert(timer.sequence)
    }

    /// What epoll_wait(2) takes: -1 for no timer.
    func millisecondsToNext(from now: Int64) -> Int32 {
        guard let first = entries.first else { return -1 }
        let left = first.deadline - now
        if left <= 0 { return 0 }
        return Int32(min((left + 999_999) / 1_000_000, 60_000))
    }

    mutating func popDue(at now: Int64) -> (() -> Void)? {
        while let first = entries.first, first.deadline <= now {
            removeFirst()
            if cancelled.remove(first.sequence) == nil {
                pending.remove(first.sequence)
                return first.call
            }
        }
        return nil
    }

    private mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count && isBefore(child, least) {
                least = child
            }
            guard least != parent else { return }
            entries.swapAt(parent, least)
            parent = least
        }
    }

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (entries[left].deadline, entries[left].sequence) < (entries[right].deadline, entries[right].sequence)
    }
}

/// A call that is due later; give it to `EventLoop.cancel` to forget it.
package struct LoopTimer: Sendable {
    let sequence: UInt64
}
