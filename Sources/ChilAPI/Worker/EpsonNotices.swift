import ChilCore
import ChilDatabase
import ChilEpson
import ChilHTTP
import ChilLoop
import ChilStore

/// Has Epson's service tell of a printer's jobs, before the first of them is sent. Not `Sendable`.
///
/// It is worth a hint and no more: what fails here keeps no print waiting, and is tried again with a later one.
struct EpsonNotices {
    private let shared: SharedState
    private let database: DatabaseClient
    private let drivers: PrintDrivers
    private let loop: EventLoop

    init(_ shared: SharedState, _ database: DatabaseClient, _ drivers: PrintDrivers, on loop: EventLoop) {
        self.shared = shared
        self.database = database
        self.drivers = drivers
        self.loop = loop
    }

    /// Where Epson's service calls.
    ///
    /// - Parameter base: `https://host/tenant`.
    static func url(_ token: ScanToken, under base: String) -> String { "\(base)/epson/\(token.text)" }

    func ask(of place: PrintPlace) async {
        do {
            try await register(place)
        } catch {
            shared.log.write(
                .warning,
                "Epson Connect was not told where to call",
                [
                    ("tenant", "\(place.tenant.rawValue)"), ("printer", "\(place.printer.rawValue)"),
                    ("error", (error as? EpsonFault)?.sentence ?? String(reason: error)),
                ]
            )
        }
    }

    private func register(_ place: PrintPlace) async throws {
        let origin = shared.configuration.publicURL
        // What Epson can't call it is not told of.
        guard Self.isOrigin(origin, isPrivate: true) else { return }
        let token = try ScanToken()
        let claim = EpsonNoticeClaim(
            token.digest,
            under: origin,
            of: place.printer,
            in: place.tenant,
            at: loop.wallClock
        )
        guard let claimed = try await claim.first(from: database),
            Self.isOrigin(origin, isPrivate: claimed.isPrivate)
        else { return }
        let client = try await drivers.epson(place.printer, in: place.tenant)
        try await client.setNotification(to: Self.url(token, under: "\(origin)/\(claimed.slug)"))
        _ = try await EpsonNoticeSet(token.digest, of: place.printer, in: place.tenant).touched(on: database)
    }

    private static func isOrigin(_ origin: String, isPrivate: Bool) -> Bool {
        do throws(EpsonAddress.Fault) {
            return try EpsonAddress.origin(origin, isPrivate: isPrivate).host != "localhost" || isPrivate
        } catch {
            return false
        }
    }
}
