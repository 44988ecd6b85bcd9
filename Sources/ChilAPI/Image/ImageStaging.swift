import ChilCore
import ChilDatabase
import ChilStore

/// Puts an image's bytes into the database, chunk by chunk, before the batch that publishes them.
enum ImageStaging {
    static let lease = Duration.seconds(600)

    static func stage(
        _ image: [UInt8],
        _ facts: ChilStore.ImageFacts,
        of owner: UserID,
        in tenant: TenantID,
        at now: Timestamp,
        on database: DatabaseClient
    ) async throws(DatabaseError) {
        try await ImageStage(facts, of: owner, in: tenant, until: now + lease).touched(on: database)
        var position: Int32 = 0
        var start = 0
        while start < image.count {
            let end = min(start + ChilStore.ImageFacts.chunkBytesMax, image.count)
            let put = ImageChunkPut(Array(image[start..<end]), at: position, of: facts.hash, owner: owner, in: tenant)
            try await put.touched(on: database)
            start = end
            position += 1
        }
    }
}
