import Testing

@testable import ChilLoop

@Suite struct TimerHeapTests {
    /// Deadlines in the order in which they are added, and the places that are due at 100 in the order in which they fire.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let deadlines: [Int64]
        let cancelled: [Int]
        let fired: [Int]
    }

    static let rows = [
        Row(testDescription: "none", deadlines: [], cancelled: [], fired: []),
        Row(testDescription: "ascending", deadlines: [1, 2, 3], cancelled: [], fired: [0, 1, 2]),
        Row(testDescription: "descending", deadlines: [3, 2, 1], cancelled: [], fired: [2, 1, 0]),
        Row(
            testDescription: "equal ones as added",
            deadlines: [5, 5, 5, 1, 5],
            cancelled: [],
            fired: [3, 0, 1, 2, 4]
        ),
        Row(testDescription: "due exactly now", deadlines: [100, 101], cancelled: [], fired: [0]),
        Row(testDescription: "already past", deadlines: [-7, 0], cancelled: [], fired: [0, 1]),
        Row(testDescription: "cancelled first", deadlines: [1, 2, 3], cancelled: [0], fired: [1, 2]),
        Row(
            testDescription: "cancelled in the middle",
            deadlines: [9, 4, 7, 2, 8],
            cancelled: [1, 4],
            fired: [3, 2, 0]
        ),
        Row(testDescription: "cancelled twice", deadlines: [1, 2], cancelled: [1, 1], fired: [0]),
        Row(testDescription: "all cancelled", deadlines: [1, 2], cancelled: [0, 1], fired: []),
    ]

    @Test(arguments: rows) func firesInOrder(_ row: Row) {
        var heap = TimerHeap()
        var fired: [Int] = []
        let timers = row.deadlines.enumerated().map { place, deadline in heap.add(at: deadline) { fired.append(place) }
        }
        for place in row.cancelled { heap.cancel(timers[place]) }
        while let call = heap.popDue(at: 100) { call() }
        #expect(fired == row.fired)
    }

    @Test func manyInAnyOrderFireSorted() {
        var heap = TimerHeap()
        var fired: [Int64] = []
        let deadlines = (0..<1_000).map { Int64($0 * 7_919 % 1_000) }
        for deadline in deadlines { _ = heap.add(at: deadline) { fired.append(deadline) } }
        while let call = heap.popDue(at: 1_000) { call() }
        #expect(fired == deadlines.sorted())
    }

    static let waits: [(Int64, Int32)] = [(-5, 0), (0, 0), (1, 1), (1_000_000, 1), (1_000_001, 2), (1 << 62, 60_000)]

    @Test(arguments: waits)
    func waitsNeverTooShort(deadline: Int64, milliseconds: Int32) {
        var heap = TimerHeap()
        #expect(heap.millisecondsToNext(from: 0) == -1)
        _ = heap.add(at: deadline) {}
        #expect(heap.millisecondsToNext(from: 0) == milliseconds)
    }
}
