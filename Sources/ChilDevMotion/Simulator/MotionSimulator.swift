import ChilCore
import ChilHTTP
package import ChilMotion

/// What a simulated motion service is told to do, and what it was asked. One for all its loops.
package final class MotionSimulator: Sendable {
    package struct Call: Sendable {
        package let picture: [UInt8]
        package let motion: String
    }

    private struct State {
        var quirks: [MotionQuirk] = []
        var standing: MotionQuirk?
        var calls: [Call] = []
        var room = 0
        var held: [UnsafeContinuation<Void, Never>] = []
    }

    let field: MotionForm.Field
    private let state: Locked<State>

    /// - Parameters:
    ///   - field: what it calls the motion's field.
    ///   - quirk: how it misbehaves always.
    package init(field: MotionForm.Field = .motionType, quirk: MotionQuirk? = nil) {
        self.field = field
        state = Locked(State(standing: quirk))
    }

    package var calls: [Call] { state.withLock { $0.calls } }

    /// The next calls are answered so, one after the other.
    package func misbehave(_ quirks: MotionQuirk...) {
        state.withLock { $0.quirks += quirks }
    }

    /// The next calls wait until so many are there; then the last is answered first.
    package func answerInReverse(_ count: Int) {
        state.withLock { $0.room = count }
    }

    func take(_ call: Call) -> MotionQuirk? {
        state.withLock { state in
            state.calls.append(call)
            return state.quirks.isEmpty ? state.standing : state.quirks.removeFirst()
        }
    }

    /// Returns when it is this call's turn.
    func turn() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let next: UnsafeContinuation<Void, Never>? = state.withLock { state in
                guard state.room > 0 else { return continuation }
                state.held.append(continuation)
                guard state.held.count == state.room else { return nil }
                return state.held.removeLast()
            }
            next?.resume()
        }
    }

    /// This call's answer is on its way.
    func isAnswered() {
        let next = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard state.room > 0, state.held.count < state.room else { return nil }
            if state.held.isEmpty { state.room = 0 }
            return state.held.popLast()
        }
        next?.resume()
    }
}
