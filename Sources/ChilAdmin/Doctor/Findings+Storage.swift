import ChilCore
import ChilStore
import Glibc

/// What of the storage was seen.
struct StorageEvidence: Equatable, Sendable {
    let health: StorageHealth.Row
    /// `nil`: its folder is not shown to this role.
    let walBytes: Int64?
    let slots: [ReplicationSlots.Row]
    /// Of the disk with the data; `nil`: it cannot be seen from here.
    let room: DiskRoom?
}

/// How much room a disk has, of all that it has.
struct DiskRoom: Equatable, Sendable {
    let path: String
    let freeBytes: Int64
    let totalBytes: Int64

    init(path: String, freeBytes: Int64, totalBytes: Int64) {
        (self.path, self.freeBytes, self.totalBytes) = (path, freeBytes, totalBytes)
    }

    /// Of the disk that has this path (statvfs(3)); `nil`: it is not to be seen.
    init?(of path: String) {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0, disk.f_blocks > 0 else { return nil }
        let unit = Int64(clamping: disk.f_frsize)
        self.init(
            path: path,
            freeBytes: Int64(clamping: disk.f_bavail).multipliedReportingOverflow(by: unit).partialValue,
            totalBytes: Int64(clamping: disk.f_blocks).multipliedReportingOverflow(by: unit).partialValue
        )
    }
}

extension Findings {
    /// What one slot may hold before it is an alarm, whatever `max_wal_size` is.
    static let heldBytesMax: Int64 = 1 << 30
    static let freeBytesMin: Int64 = 1 << 30

    var wal: DoctorRow {
        guard let storage else { return unseen(.wal) }
        let health = storage.health, bound = max(health.walBytesMax, Self.heldBytesMax)
        if let lost = storage.slots.first(where: \.isLost) {
            return DoctorRow(
                check: .wal,
                state: .fail,
                finding:
                    "the replication slot '\(lost.name)' has lost what it wants: its replica cannot follow any more",
                remedy: "Make the replica anew, and drop the slot: select pg_drop_replication_slot('\(lost.name)')."
            )
        }
        if let since = health.archivingFailsSince {
            return DoctorRow(
                check: .wal,
                state: .fail,
                finding: "WAL is not archived, last tried at \(since): it stays, and fills the disk",
                remedy: "PostgreSQL's log says why archive_command fails."
            )
        }
        if let slot = storage.slots.first(where: { !$0.isActive && $0.heldBytes > 0 }) {
            return DoctorRow(
                check: .wal,
                state: slot.heldBytes > bound ? .fail : .warn,
                finding:
                    "nobody reads the replication slot '\(slot.name)', which holds \(Self.size(slot.heldBytes)) of WAL",
                remedy:
                    "Start its replica; or, if there is none any more: select pg_drop_replication_slot('\(slot.name)')."
            )
        }
        if let slot = storage.slots.first(where: { $0.heldBytes > bound }) {
            return DoctorRow(
                check: .wal,
                state: .warn,
                finding: "the replication slot '\(slot.name)' is behind: it holds \(Self.size(slot.heldBytes)) of WAL",
                remedy: "Look into its replica's log and at the way between; max_slot_wal_keep_size bounds it."
            )
        }
        let slots = "\(storage.slots.count) replication slots"
        guard let bytes = storage.walBytes else {
            return DoctorRow(
                check: .wal,
                state: .ok,
                finding: "\(slots), none holds much; how much WAL lies there is not shown to this role"
            )
        }
        if bytes > 2 * bound {
            return DoctorRow(
                check: .wal,
                state: .warn,
                finding:
                    "\(Self.size(bytes)) of WAL, with a max_wal_size of \(Self.size(health.walBytesMax)); \(slots)",
                remedy: "Look whether checkpoints come (PostgreSQL's log), and at wal_keep_size."
            )
        }
        return DoctorRow(check: .wal, state: .ok, finding: "\(Self.size(bytes)) of WAL, \(slots)")
    }

    func disk(_ cluster: ClusterHealth.Row) -> DoctorRow {
        let size = "the database has \(Self.size(cluster.databaseBytes))"
        guard let room = storage?.room else {
            return DoctorRow(
                check: .disk,
                state: .ok,
                finding: "\(size); its disk is not visible from here\(objects)"
            )
        }
        let finding =
            "\(size); \(room.path) has \(Self.size(room.freeBytes)) of \(Self.size(room.totalBytes)) left\(objects)"
        let remedy = "Make room or a larger disk: PostgreSQL stops when it is full. `wal` shows what of it is WAL."
        if room.freeBytes < Self.freeBytesMin || room.freeBytes < room.totalBytes / 20 {
            return DoctorRow(check: .disk, state: .fail, finding: finding, remedy: remedy)
        }
        if room.freeBytes < room.totalBytes / 7 || room.freeBytes < cluster.databaseBytes / 10 {
            return DoctorRow(check: .disk, state: .warn, finding: finding, remedy: remedy)
        }
        return DoctorRow(check: .disk, state: .ok, finding: finding)
    }

    private var objects: String {
        objectBucket.map { "; images lie in the bucket '\($0)', whose room its provider shows" } ?? ""
    }

    /// For people: whole MiB below ten GiB, then GiB.
    static func size(_ bytes: Int64) -> String {
        bytes < 10 << 30 ? "\(SevereAct.grouped(bytes >> 20)) MiB" : "\(SevereAct.grouped(bytes >> 30)) GiB"
    }
}
