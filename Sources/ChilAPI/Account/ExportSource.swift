import ChilExport
import ChilHTTP

/// An archive on its way to a client: made as the client takes it, whatever the pace.
///
/// `@unchecked Sendable`: made and asked on one loop.
final class ExportSource: BodyStream, @unchecked Sendable {
    private let archive: AccountArchive
    private let place: ExportRoom.Place
    private let log: ServiceLog
    private let requestID: String

    init(_ archive: AccountArchive, in place: ExportRoom.Place, _ log: ServiceLog, _ requestID: String) {
        self.archive = archive
        self.place = place
        self.log = log
        self.requestID = requestID
    }

    func next() async -> BodyPiece {
        do {
            return try await archive.next().map { .bytes($0) } ?? .end
        } catch {
            log.write(.warning, "export broken off", [("request", requestID), ("error", "\(error)")])
        }
        return .broken
    }
}
