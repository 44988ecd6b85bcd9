internal import CLinux

/// What epoll(7) says of a descriptor.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
    package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
    package static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
    package static let failed = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
}

/// Told on the loop's thread when its descriptor is ready.
package protocol ReadinessHandler: AnyObject {
    func descriptorIsReady(_ readiness: Readiness)
}

/// Told once at the end of the turn in which it asked.
package protocol TurnEnder: AnyObject {
    func turnEnds()
}
