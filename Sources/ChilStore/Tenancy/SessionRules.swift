/// How long a tenant's sessions live, and how many of them a user may have.
package struct SessionRules: Sendable, Equatable {
    /// From the last refresh.
    package let idle: Duration
    /// From sign-in, whatever is done.
    package let absolute: Duration
    /// Live sessions of one user: the least recently used makes room for a new one. `nil`: no limit.
    package let countMax: Int32?

    package init(idle: Duration, absolute: Duration, countMax: Int32?) {
        self.idle = idle
        self.absolute = absolute
        self.countMax = countMax
    }
}
