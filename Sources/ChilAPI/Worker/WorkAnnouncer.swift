import ChilDatabase
import ChilLoop
import ChilStore

/// Tells the worker of this process at once, and those of others by one NOTIFY for all that was queued within 20 ms: NOTIFY takes a
/// lock that serialises commits. Not `Sendable`; one per loop.
final class WorkAnnouncer {
    private let loop: EventLoop
    private let database: DatabaseClient
    private let bell: WorkBell
    private let pictures: WorkBell
    private let scans: WorkBell
    private var isDue = false

    init(on loop: EventLoop, _ database: DatabaseClient, _ bell: WorkBell, pictures: WorkBell, scans: WorkBell) {
        self.loop = loop
        self.database = database
        self.bell = bell
        self.pictures = pictures
        self.scans = scans
    }

    func workWasQueued() {
        bell.ring()
        tellOthers()
    }

    func pictureWasQueued() {
        pictures.ring()
        tellOthers()
    }

    func pageWasQueued() {
        scans.ring()
        tellOthers()
    }

    private func tellOthers() {
        guard !isDue else { return }
        isDue = true
        loop.after(Self.pause) { [weak self] in self?.announce() }
    }

    private func announce() {
        isDue = false
        var batch = Batch(.write, of: nil)
        batch.add(Notify.work)
        // If it is lost, the workers' own look at the queue finds the work a moment later.
        database.post(batch)
    }

    private static let pause = Duration.milliseconds(20)
}
