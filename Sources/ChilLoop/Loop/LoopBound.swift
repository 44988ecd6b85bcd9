/// A weak reference to something that lives on a loop, carried through another thread and opened on the loop again.
///
/// `@unchecked Sendable`: `value` is read only in a call that the loop itself makes (`EventLoop.post`).
package final class LoopBound<Value: AnyObject>: @unchecked Sendable {
    package private(set) weak var value: Value?

    package init(_ value: Value) {
        self.value = value
    }
}
