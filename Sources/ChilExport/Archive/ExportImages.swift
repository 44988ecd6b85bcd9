import ChilCore
import ChilDatabase
import ChilStore

/// `images/`: a file for each drawing that has an image, newest first, and one for what it was made of where that is kept.
final class ExportImages: ExportPart {
    private let user: UserID
    private let tenant: TenantID
    private var before = Int64.max
    private var isLastPage = false
    /// The page's images that are still to come, the next one last.
    private var images: [ExportImage] = []
    private var open: (image: ExportImage, position: Int32)?
    /// Read and not given yet, the next one last.
    private var chunks: [[UInt8]] = []

    init(of user: UserID, in tenant: TenantID) {
        self.user = user
        self.tenant = tenant
    }

    func next(from database: any Database) async throws -> ExportStep? {
        if let chunk = chunks.popLast() { return .bytes(chunk) }
        if let (image, position) = open {
            if position >= image.chunkCount {
                open = nil
            } else {
                guard try await readChunks(of: image, from: position, database) else { throw ExportFault.imageGone }
                return chunks.popLast().map { .bytes($0) }
            }
        }
        while let image = try await nextImage(database) {
            guard try await readChunks(of: image, from: 0, database) else {
                // Deleted since its page was read: it is missing, as it would be a moment later. Nothing else may be.
                let exists = DrawingExists(image.drawing, of: user, in: tenant)
                if try await database.run(exists, .bulkRead, of: tenant).first == true { throw ExportFault.imageGone }
                continue
            }
            return .file(.image(image.drawing, image.kind), isLarge: false)
        }
        return nil
    }

    private func nextImage(_ database: any Database) async throws -> ExportImage? {
        if images.isEmpty, !isLastPage {
            let page = ExportImagePage(of: user, in: tenant, before: before)
            let rows = try await database.run(page, .bulkRead, of: tenant)
            isLastPage = rows.count < ExportImagePage.countMax
            before = rows.last?.shown.drawing.rawValue ?? before
            images = rows.reversed().flatMap { row in [row.original, row.shown].compactMap { $0 } }
        }
        return images.popLast()
    }

    private func readChunks(of image: ExportImage, from position: Int32, _ database: any Database) async throws -> Bool
    {
        if image.chunkCount == 0 {
            let whole = ImageBytes(of: image.hash, owner: user, in: tenant)
            chunks = try await database.run(whole, .bulkRead, of: tenant).map { $0.bytes(0) }
            guard !chunks.isEmpty else { return false }
            open = (image, 0)
            return true
        }
        let end = min(position + Self.chunksAtOnce, image.chunkCount)
        let read = ImageChunks(position..<end, of: image.hash, owner: user, in: tenant)
        let rows = try await database.run(read, .bulkRead, of: tenant)
        guard rows.count == Int(end - position) else { return false }
        chunks = rows.reversed().map { $0.bytes(0) }
        open = (image, end)
        return true
    }

    private static let chunksAtOnce: Int32 = 4
}

struct ExportImage {
    let drawing: DrawingID
    let hash: [UInt8]
    let kind: ExportImageKind
    /// 0: its bytes lie in its row.
    let chunkCount: Int32

    init(_ drawing: DrawingID, _ hash: [UInt8], _ kind: ExportImageKind, byteCount: Int64) {
        let chunkBytes = Int64(ImageFacts.chunkBytesMax)
        self.drawing = drawing
        self.hash = hash
        self.kind = kind
        chunkCount = byteCount <= chunkBytes ? 0 : Int32((byteCount + chunkBytes - 1) / chunkBytes)
    }
}

private struct ExportImagePair {
    let shown: ExportImage
    let original: ExportImage?
}

private struct ExportImagePage: Statement {
    static let countMax = 200
    static let sql = SQL(
        """
        select d.drawing_id, d.image_hash, d.media_type, d.byte_count, d.original_hash, o.media_type, o.byte_count
          from drawing d left join image o on o.tenant_id = $1 and o.owner_id = $2 and o.hash = d.original_hash
         where d.tenant_id = $1 and d.owner_id = $2 and d.drawing_id < $3 and d.image_hash is not null
         order by d.drawing_id desc limit \(countMax)
        """
    )

    let user: UserID
    let tenant: TenantID
    let before: Int64

    init(of user: UserID, in tenant: TenantID, before: Int64) {
        self.user = user
        self.tenant = tenant
        self.before = before
    }

    func bind(_ values: inout BoundValues) {
        values.append(tenant)
        values.append(user)
        values.append(before)
    }

    static func row(_ row: ResultRow) throws(DatabaseError) -> ExportImagePair {
        let drawing: DrawingID = try row.id(0)
        var original: ExportImage?
        if let hash = row.bytesOrNil(4), let mediaType = row.textOrNil(5), let byteCount = try row.int64OrNil(6) {
            let kind = ExportImageKind(mediaType: mediaType, isOriginal: true)
            original = ExportImage(drawing, hash, kind, byteCount: byteCount)
        }
        let kind = ExportImageKind(mediaType: row.text(2), isOriginal: false)
        return ExportImagePair(
            shown: ExportImage(drawing, row.bytes(1), kind, byteCount: try row.int64(3)),
            original: original
        )
    }
}
