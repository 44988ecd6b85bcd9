import ChilCore
import ChilDatabase
import ChilStore

/// `images/`: a file for each page that waits to become a drawing; then one for each drawing that has an image, newest first, and one for
/// what it was made of where that is kept.
final class ExportImages: ExportPart {
    private enum Stage { case scans, drawings, done }

    private let user: UserID
    private let tenant: TenantID
    private var stage = Stage.scans
    private var before = Int64.max
    /// The page's images that are still to come, the next one last.
    private var images: [ExportImage] = []
    private var open: (image: ExportImage, position: Int32)?
    /// Read and not given yet, the next one last.
    private var chunks: [[UInt8]] = []

    private let objects: (any ImageObjects)?

    init(of user: UserID, in tenant: TenantID, _ objects: (any ImageObjects)?) {
        self.user = user
        self.tenant = tenant
        self.objects = objects
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
                if try await isThere(image, database) { throw ExportFault.imageGone }
                continue
            }
            return .file(image.name, isLarge: false)
        }
        return nil
    }

    private func isThere(_ image: ExportImage, _ database: any Database) async throws -> Bool {
        switch image.name {
        case .image(let drawing, _):
            try await database.run(DrawingExists(drawing, of: user, in: tenant), .bulkRead, of: tenant).first == true
        case .page(let scan, _):
            try await database.run(ScanWaits(scan, of: user, in: tenant), .bulkRead, of: tenant).first == true
        default: false
        }
    }

    private func nextImage(_ database: any Database) async throws -> ExportImage? {
        while images.isEmpty, stage != .done {
            switch stage {
            case .scans:
                let page = WaitingImagePage(of: user, in: tenant, before: before)
                let rows = try await database.run(page, .bulkRead, of: tenant)
                images = rows.reversed()
                turn(to: .drawings, unless: rows.count == WaitingImagePage.countMax, rows.last?.number)
            case .drawings:
                let page = ExportImagePage(of: user, in: tenant, before: before)
                let rows = try await database.run(page, .bulkRead, of: tenant)
                images = rows.reversed().flatMap { row in [row.original, row.shown].compactMap { $0 } }
                turn(to: .done, unless: rows.count == ExportImagePage.countMax, rows.last?.shown.number)
            case .done: break
            }
        }
        return images.popLast()
    }

    private func turn(to next: Stage, unless isFull: Bool, _ last: Int64?) {
        before = isFull ? last ?? before : Int64.max
        if !isFull { stage = next }
    }

    private func readChunks(of image: ExportImage, from position: Int32, _ database: any Database) async throws -> Bool
    {
        let read = try await ImageStore(database, objects).chunks(
            from: Int(position),
            to: Int(image.chunkCount),
            of: image.hash,
            byteCount: image.byteCount,
            owner: user,
            in: tenant
        )
        guard let read else { return false }
        chunks = read.reversed()
        open = (image, position + Int32(read.count))
        return true
    }
}

struct ExportImage {
    let name: ExportName
    /// Of the drawing or the page: the next page of rows begins after it.
    let number: Int64
    let hash: [UInt8]
    let byteCount: Int64

    var chunkCount: Int32 { Int32(ImageFacts.chunkCount(of: byteCount)) }

    init(_ drawing: DrawingID, _ hash: [UInt8], _ kind: ExportImageKind, byteCount: Int64) {
        name = .image(drawing, kind)
        number = drawing.rawValue
        self.hash = hash
        self.byteCount = byteCount
    }

    init(_ scan: ScanID, _ hash: [UInt8], mediaType: String, byteCount: Int64) {
        name = .page(scan, ExportImageKind(mediaType: mediaType, isOriginal: false))
        number = scan.rawValue
        self.hash = hash
        self.byteCount = byteCount
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
