package import ChilCore

/// A unit of work: prepared statements with their values, sent as one pipeline segment and one transaction.
///
/// It commits whole or fails whole, in one round trip. A tenant's batch begins by itself with `select chil_enter($1)`, unless it is
/// a single statement that does so itself, so that row level security shows that tenant's rows and no other's.
package struct Batch: Sendable {
    /// Which of a loop's connections may carry it.
    package enum Access: Sendable {
        /// Reads only: sent again once when a connection is lost.
        case read
        /// May write: never sent again by itself.
        case write
        /// Image bytes and exports, on connections of their own.
        case bulkRead
        case bulkWrite

        /// Nothing happens by it, so it may be sent again.
        var isReading: Bool { self == .read || self == .bulkRead }
    }

    /// A row that many batches update. At most one batch per key is in flight per loop: a row lock would otherwise block
    /// whatever is queued behind it on its connection.
    package struct ContentionKey: Hashable, Sendable {
        let tenant: Int64
        let row: Int64

        /// `row` tells contended rows of one tenant apart: a quota metric's number, a printer's id.
        package init(tenant: TenantID, row: Int64) {
            self.tenant = tenant.rawValue
            self.row = row
        }
    }

    /// Which statement's rows: given by `add`, taken by `BatchResult`.
    package struct Slot<S: Statement>: Sendable {
        let index: Int
    }

    struct Entry: Sendable {
        let sql: SQL
        let gathered: SQL?
        /// Their places in `Batch.values`.
        let values: Range<Int>
    }

    package let access: Access
    package let tenant: TenantID?
    package let contention: ContentionKey?
    /// Safe to run twice: the driver may then send a write again after a serialisation failure, a deadlock or a lock timeout.
    package let isRepeatable: Bool

    var entries: [Entry] = []
    var values = BoundValues()
    /// A statement would enter another tenant than the batch's, and so open both locks, parameter and policy, by one mistake: it is not
    /// run.
    private(set) var entersAnother = false

    /// - Parameters:
    ///   - tenant: whose rows the statements may see; `nil` only for reference tables and the queue.
    ///   - isRepeatable: `false` only where running again after a *clean* rollback would be wrong.
    package init(
        _ access: Access,
        of tenant: TenantID?,
        contending contention: ContentionKey? = nil,
        isRepeatable: Bool = true
    ) {
        self.access = access
        self.tenant = tenant
        self.contention = contention
        self.isRepeatable = isRepeatable
    }

    @discardableResult
    package mutating func add<S: Statement>(_ statement: S) -> Slot<S> {
        let first = values.spans.count
        statement.bind(&values)
        if S.sql.entersTenant, values.number(first) != tenant?.rawValue { entersAnother = true }
        entries.append(
            Entry(sql: S.sql, gathered: S.gathered, values: first..<values.spans.count)
        )
        return Slot(index: entries.count - 1)
    }

    /// Whether `chil_enter` has to go before its statements.
    var mustEnter: Bool { tenant != nil && !(entries.count == 1 && entries[0].sql.entersTenant) }

    /// What may carry it together with others of its kind: only a single statement that names the batch's own tenant; of a read numbers that
    /// are not null, a write only if it may be sent again.
    var gathered: SQL? {
        guard entries.count == 1, let sql = entries[0].gathered, values.number(0) == tenant?.rawValue else {
            return nil
        }
        precondition(sql.arrays.count == values.spans.count, "a gathered statement has an array for each parameter")
        return (access.isReading ? values.areNumbers : isRepeatable) ? sql : nil
    }
}
