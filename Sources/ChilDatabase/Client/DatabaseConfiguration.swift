/// How a loop talks to PostgreSQL. Every number is per loop.
package struct DatabaseConfiguration: Sendable {
    package enum SegmentForm: String, Sendable, CaseIterable {
        /// `chil_enter` · statements · Sync: one implicit transaction.
        case implicit
        /// `BEGIN` · `chil_enter` · statements · Sync · `COMMIT` · Sync: for Citus, where only that is atomic.
        case explicit
    }

    package enum StatementNaming: String, Sendable, CaseIterable {
        case named
        /// Parsed at each use: for PgBouncer before 1.21.
        case unnamed
    }

    /// A libpq connection string or URI.
    package var url: String
    package var form = SegmentForm.implicit
    package var naming = StatementNaming.named
    package var readConnections = 1
    package var writeConnections = 2
    /// Commits on different connections share an fsync, and a commit blocks what is behind it on its own: while all are busy one
    /// more is opened, up to here.
    package var writeConnectionsMax = 8
    package var bulkConnections = 1
    /// Of each kind, where they lead to a pooler: each carries one batch at a time then.
    package var pooledConnectionsMax = 8
    /// Batches sent and not yet answered, per connection.
    package var depthMax = 128
    package var bulkDepthMax = 2
    /// Batches that wait for a connection; one more is refused with `.overloaded`.
    package var queueMax = 2048
    /// How many of them may be of one tenant.
    package var queuePerTenantMax = 1024
    /// How long a batch waits while there is no connection at all.
    package var availabilityWait = Duration.milliseconds(1_500)
    /// How long a batch may take from `run` to its answer. PostgreSQL's own `statement_timeout` (5 s) ends it there.
    package var batchPatience = Duration.seconds(6)
    /// A connection on which nothing was heard for so long, with batches sent, is taken for dead.
    package var silenceMax = Duration.seconds(8)
    package var retriesMax = 3
    /// All batches go into this transaction, on its connection, and none of the above holds but `batchPatience`.
    package var held: HeldTransaction?
    /// Hears of each connection that was opened (`nil`), and why one was not: on any thread.
    package var heardOfConnecting: @Sendable (_ failure: String?) -> Void = { _ in }

    package init(url: String) {
        self.url = url
    }
}
