import ChilCore
import Foundation
import Synchronization

/// Clients that create and list without a pause, each on a connection that it keeps, and what became of each request.
final class Load: Sendable {
    struct Event: Sendable {
        enum Outcome: Sendable {
            case answered(Answer)
            /// Sent on an open connection, and closed without an answer.
            case lost
            /// There was no connection to send it on.
            case refused
        }

        let client: Int
        /// When it was sent.
        let begun: ContinuousClock.Instant
        let outcome: Outcome

        var answer: Answer? {
            if case .answered(let answer) = outcome { return answer }
            return nil
        }
    }

    private let app: App
    private let endsWithConnection: Bool
    private let events = Locked<[Event]>([])
    private let isStopping = Atomic(false)
    private let running = DispatchGroup()

    /// - Parameter endsWithConnection: a client whose connection the server closes in order is done; else it connects again.
    init(_ app: App, clients: Int, endsWithConnection: Bool) {
        self.app = app
        self.endsWithConnection = endsWithConnection
        for number in 0..<clients {
            running.enter()
            Thread.detachNewThread { [self] in
                run(number)
                running.leave()
            }
        }
    }

    /// What has been answered until now.
    var soFar: [Event] { events.withLock { $0 } }

    /// The clients that were served with what they sent after `moment`.
    func served(after moment: ContinuousClock.Instant) -> Set<Int> {
        Set(soFar.filter { $0.begun > moment && ($0.answer?.status ?? 0) / 100 == 2 }.map(\.client))
    }

    /// Drawings that were acknowledged.
    var made: Int { soFar.count { $0.answer?.status == 201 } }

    /// Lets the clients finish; everything that happened.
    func stop() -> [Event] {
        isStopping.store(true, ordering: .relaxed)
        running.wait()
        return soFar
    }

    private func run(_ client: Int) {
        var connection: Connection?
        while !isStopping.load(ordering: .relaxed) {
            let begun = ContinuousClock.now
            if connection == nil { connection = try? Connection(to: app.service.port) }
            guard let open = connection else {
                note(Event(client: client, begun: begun, outcome: .refused))
                if endsWithConnection { return }
                usleep(20_000)
                continue
            }
            // Every other client creates.
            let request =
                client.isMultiple(of: 2) ? app.upload(Picture.png()) : app.request("GET", "drawings?limit=5")
            let outcome = (try? open.send(request)).map { Event.Outcome.answered($0) } ?? .lost
            note(Event(client: client, begun: begun, outcome: outcome))
            guard case .answered(let answer) = outcome, answer["Connection"] != "close" else {
                connection = nil
                if endsWithConnection { return }
                continue
            }
        }
    }

    private func note(_ event: Event) {
        events.withLock { $0.append(event) }
    }
}
