import ChilCore
import ChilDatabase
import ChilLoop
import ChilS3
import ChilStore

/// Removes objects of images that no row leads to any more. Not `Sendable`.
///
/// However often, and by how many at once: an object that is gone is gone, and its number is used for nothing else.
struct DiscardCarrier {
    private let objects: S3Client?
    private let shared: SharedState
    private let database: DatabaseClient

    private static let pauseMax = Duration.seconds(300)

    init(_ shared: SharedState, _ database: DatabaseClient, on loop: EventLoop) {
        objects = shared.configuration.s3.map { S3Client($0, on: loop) }
        self.shared = shared
        self.database = database
    }

    func work(on item: WorkItem) async throws {
        do throws(ImageObjectFault) {
            guard let objects else {
                throw ImageObjectFault(
                    .notSet,
                    "objects of images are to be removed: set CHIL_S3_URL and what belongs to it"
                )
            }
            try await objects.remove(ImageObjectID(rawValue: item.subject), of: item.tenant)
        } catch {
            shared.log.write(
                .warning,
                "image object not removed",
                [("tenant", "\(item.tenant.rawValue)"), ("object", "\(item.subject)"), ("error", "\(error)")]
            )
            // As long as it takes: what is stored of a person who is gone has to go.
            _ = try await WorkPostpone(item, by: min(.seconds(5) * Int(item.attempts), Self.pauseMax)).run(on: database)
            return
        }
        _ = try await WorkFinish(item).run(on: database)
    }
}
