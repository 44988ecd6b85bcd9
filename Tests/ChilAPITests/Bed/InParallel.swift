import ChilCore
import Foundation

/// Does the same on `count` threads at once and gives what each made of it, in order.
func inParallel<Value: Sendable>(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Value) throws -> [Value] {
    let results = SharedResults<Value>(count)
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        Thread.detachNewThread {
            let result = Result { try body(index) }
            results.values.withLock { $0[index] = result }
            group.leave()
        }
    }
    group.wait()
    return try results.values.withLock { try $0.compactMap { try $0?.get() } }
}

private final class SharedResults<Value: Sendable>: Sendable {
    let values: Locked<[Result<Value, any Error>?]>

    init(_ count: Int) {
        values = Locked(Array(repeating: nil, count: count))
    }
}
