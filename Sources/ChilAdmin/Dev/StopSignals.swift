import Dispatch
import Glibc

/// SIGTERM and SIGINT as a call instead of the end of the process, while this lives.
final class StopSignals {
    private let sources: [any DispatchSourceSignal]

    init(_ call: @escaping @Sendable () -> Void) {
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: call)
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
        for number in [SIGTERM, SIGINT] { signal(number, SIG_DFL) }
    }
}
