import ChilCore
import ChilLoop

/// Spreads connections over loops: the kernel wakes whichever loop sleeps, and would give a burst to one of them.
package final class LoopBalance: Sendable {
    private struct Member {
        let server: LoopBound<HTTPServer>
        let loop: EventLoop
        var connections = 0
    }

    private let members = Locked<[Member]>([])

    package init() {}

    func join(_ server: HTTPServer) {
        let member = Member(server: LoopBound(server), loop: server.loop)
        members.withLock { $0.append(member) }
    }

    /// Gives the connection to the loop with the fewest; the loop that accepted it wins a tie.
    func place(_ connection: HTTPServer.Accepted, seenBy server: HTTPServer) {
        let (target, loop) = members.withLock { members -> (LoopBound<HTTPServer>?, EventLoop) in
            guard let own = members.firstIndex(where: { $0.loop === server.loop }) else { return (nil, server.loop) }
            var best = own
            for index in members.indices where members[index].connections < members[best].connections { best = index }
            members[best].connections += 1
            return (best == own ? nil : members[best].server, members[best].loop)
        }
        guard let target else { return server.take(connection) }
        loop.post { target.value?.take(connection) }
    }

    func leave(_ server: HTTPServer) {
        members.withLock { members in
            guard let own = members.firstIndex(where: { $0.loop === server.loop }) else { return }
            members[own].connections -= 1
        }
    }
}
