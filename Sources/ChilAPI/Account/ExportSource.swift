import ChilExport
import ChilHTTP

/// An archive on its way to a client: made as the client takes it, whatever the pace, for as long as the session lives. Nobody who has
/// signed out or is gone gets the rest, nor an end that makes the part look whole.
///
/// `@unchecked Sendable`: made and asked on one loop.
final class ExportSource: BodyStream, @unchecked Sendable {
    private let archive: AccountArchive
    private let place: ExportRoom.Place
    private let watch: SessionWatch
    private let log: ServiceLog
    private let requestID: String

    init(
        _ archive: AccountArchive,
        in place: ExportRoom.Place,
        while watch: SessionWatch,
        _ log: ServiceLog,
        _ requestID: String
    ) {
        self.archive = archive
        self.watch = watch
        self.place = place
        self.log = log
        self.requestID = requestID
    }

    func next() async -> BodyPiece {
        do {
            if try await watch.isLive() {
                if let part = try await archive.next() { return .bytes(part) }
                if try await watch.isLive(isLast: true) { return .end }
            }
            log.write(.info, "export broken off", [("request", requestID), ("reason", "the session has ended")])
        } catch {
            log.write(.warning, "export broken off", [("request", requestID), ("error", "\(error)")])
        }
        return .broken
    }
}
