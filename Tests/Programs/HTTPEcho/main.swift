import ChilHTTP
import ChilLoop
import Glibc

// http-echo HOST:PORT — the HTTP engine alone, for suites that probe servers from outside:
// GET / answers 200, POST / answers the body, /echo answers the header lines as received.

func fail(_ text: String) -> Never {
    print(text)
    exit(64)
}

let words = CommandLine.arguments.dropFirst()
let parts = (words.first ?? "127.0.0.1:8080").split(separator: ":")
guard parts.count == 2, let port = UInt16(parts[1]),
    let address = SocketAddress(numericHost: String(parts[0]), port: port)
else { fail("usage: http-echo ADDRESS:PORT") }

do {
    let listener = try Listener(on: address)
    let balance = LoopBalance()
    var threads: [LoopThread] = []
    for index in 0..<2 {
        let thread = try LoopThread(index: index)
        let server = HTTPLoop(listener, ServerLimits(), balance, on: thread.loop) { _ in Echo() }
        Task(executorPreference: thread.loop) { try await server.run() }
        threads.append(thread)
    }
    print("listening on \(listener.address)")
    for thread in threads { thread.join() }
} catch {
    fail("\(error)")
}
