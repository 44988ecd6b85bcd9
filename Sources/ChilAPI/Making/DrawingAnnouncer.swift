import ChilCore
import ChilDatabase
import ChilLoop
import ChilStore

/// Tells those who wait for a drawing that its job has ended: in this process at once, in others by a NOTIFY each, all that ended within
/// 20 ms in one batch: NOTIFY takes a lock that serialises commits. Not `Sendable`; the worker's.
final class DrawingAnnouncer {
    private let loop: EventLoop
    private let database: DatabaseClient
    private let bells: DrawingBells
    private var due: [DrawingBells.Place] = []

    private static let pause = Duration.milliseconds(20)

    init(on loop: EventLoop, _ database: DatabaseClient, _ bells: DrawingBells) {
        self.loop = loop
        self.database = database
        self.bells = bells
    }

    func ended(_ drawing: DrawingID, of tenant: TenantID) {
        let place = DrawingBells.Place(tenant: tenant, drawing: drawing)
        bells.ring(place)
        due.append(place)
        guard due.count == 1 else { return }
        loop.after(Self.pause) { [weak self] in self?.announce() }
    }

    /// If it is lost, who waits looks by itself a moment later.
    private func announce() {
        var batch = Batch(.write, of: nil)
        for place in due { batch.add(Notify.drawing(place.drawing, of: place.tenant)) }
        due.removeAll()
        database.post(batch)
    }
}
