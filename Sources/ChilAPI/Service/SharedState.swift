import ChilAuth
import ChilCore
import ChilCrypto
import ChilDatabase
import ChilHTTP
import ChilRaster
import Glibc
import Synchronization

/// What the loops of a process share: immutable, or behind a lock that the hot path does not take.
final class SharedState: Sendable {
    let configuration: ServiceConfiguration
    let keyRing: KeyRing
    let sealer: Sealer
    let minter: RefreshTokenMinter
    let subjects: SubjectDigests
    let keySets = KeySetCache()
    let images: ImageCache
    let log: ServiceLog
    /// Where announcements are heard, if that is another address than the database's.
    let listening: ConnectionLog
    let freshness = NotificationFreshness()
    let balance = LoopBalance()
    let work = WorkBell()
    /// Rung when a picture is to be made.
    let pictures = WorkBell()
    /// Rung when a scanner pushed a page.
    let scans = WorkBell()
    /// Rung when one was made, or will not be.
    let drawings = DrawingBells()
    let livePeople = LivePeople()
    /// What was asked, for whoever watches.
    let traffic = Locked(Traffic())
    /// One for all loops: it bounds how many children run.
    let rasterizer = Rasterizer()
    /// Loops that have had a slot for ids: before all have, some sign-ins would fail.
    let startedLoops = Atomic(0)

    /// - Parameter logDescriptor: an open file that takes the log.
    init(_ configuration: ServiceConfiguration, keyRing: KeyRing, logDescriptor: Int32 = STDERR_FILENO) {
        log = ServiceLog(form: configuration.log, descriptor: logDescriptor)
        let connecting = ConnectionLog(ServiceConfiguration.databaseSetting, log)
        var configuration = configuration
        configuration.database.heardOfConnecting = { connecting.heard($0) }
        self.configuration = configuration
        listening =
            configuration.listenDatabaseURL == configuration.database.url
            ? connecting : ConnectionLog(ServiceConfiguration.listenSetting, log)
        self.keyRing = keyRing
        sealer = Sealer(keyRing)
        minter = RefreshTokenMinter(keyRing)
        subjects = SubjectDigests(keyRing)
        images = ImageCache(bytesMax: configuration.imageCacheBytes)
    }

    /// The keys of a purpose by version.
    func subkeys(_ purpose: KeyRing.Purpose) -> [UInt8: SecretBytes] {
        var keys: [UInt8: SecretBytes] = [:]
        for version in UInt8.min...UInt8.max { keys[version] = keyRing.subkey(purpose, version: version) }
        return keys
    }
}
