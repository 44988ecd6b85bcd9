import ChilCore
import ChilMedia
import ChilPrint
import ChilStore

/// The pages of a job: its drawing on a sheet, as often as it was asked for. Not `Sendable`.
struct DrawingPages: PrintPages {
    private let task: PrintJobTask
    private let tenant: TenantID
    private let images: ImageReader

    init(_ task: PrintJobTask, in tenant: TenantID, from images: ImageReader) {
        self.task = task
        self.tenant = tenant
        self.images = images
    }

    func document(for printer: PrinterSnapshot) async throws(PrintPagesFault) -> PrintDocument {
        guard printer.documentFormats.isEmpty || printer.documentFormats.contains(MediaType.pdf.rawValue) else {
            throw .noFormat
        }
        let picture = try await picture()
        let scale = PrintScale(rawValue: task.job.scale.rawValue) ?? .large
        let copies = Int(task.job.copies)
        let bytes: [UInt8]? = await OffLoop.run {
            guard let facts = try? ImageProbe.facts(of: picture) else { return nil }
            let page = DrawnPage(picture: picture, facts: facts, layout: PageLayout(of: facts, scale: scale))
            return try? PDFDocument.bytes(of: [page], copies: copies)
        }
        guard let bytes else { throw .unprintable }
        return PrintDocument(bytes: bytes, format: .pdf, paper: .a4)
    }

    private func picture() async throws(PrintPagesFault) -> [UInt8] {
        guard let image = task.image else { throw .gone }
        let stored = DrawingImage(
            owner: task.owner,
            hash: image.hash,
            mediaType: image.mediaType,
            byteCount: image.byteCount
        )
        do {
            return try await images.pieces(of: stored, tenant).flatMap { $0 }
        } catch {
            // The storage may come back; the row of a picture that is gone does not.
            throw (error as? Problem)?.code == .notFound ? .gone : .unreadable
        }
    }
}
