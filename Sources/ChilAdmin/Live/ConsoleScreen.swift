import ChilConsole
import ChilCore

/// The console's own loop: an event, what the model makes of it, what the terminal has to be told.
struct ConsoleScreen {
    let device: TerminalDevice
    let events: AsyncStream<ConsoleEvent>
    /// To whoever asks the database.
    let requests: ConsoleRequests

    func run(_ model: ConsoleModel, beginning: [ConsoleRequest]) async {
        var model = model
        var shown: Screen?
        for request in beginning { requests.add(request) }
        for await event in events {
            if case .resumed = event {
                device.enter()
                shown = nil
            }
            for request in model.received(event) {
                switch request {
                case .quit: return
                case .repaint: shown = nil
                case .suspend:
                    device.suspend()
                    shown = nil
                default: requests.add(request)
                }
            }
            let screen = model.screen
            let bytes = ScreenDiff.bytes(from: shown, to: screen, depth: model.ability.depth)
            guard bytes.isEmpty || device.write(bytes) else { return }
            shown = screen
        }
    }
}

/// What is asked for, one after the other; of pages only the one that was asked for last.
final class ConsoleRequests: Sendable {
    private let stream: AsyncStream<ConsoleRequest>
    private let continuation: AsyncStream<ConsoleRequest>.Continuation
    private let lastPage = Locked(0)

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func add(_ request: ConsoleRequest) {
        if case .page(let token, _) = request { lastPage.withLock { $0 = token } }
        continuation.yield(request)
    }

    func finish() {
        continuation.finish()
    }

    /// - Parameter answer: is asked in the caller's own place.
    func serve(_ answer: (ConsoleRequest) async -> Void) async {
        for await request in stream {
            if case .page(let token, _) = request, token != lastPage.withLock({ $0 }) { continue }
            await answer(request)
        }
    }
}
