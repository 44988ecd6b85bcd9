import ChilCore
import ChilMedia
import ChilPrint
import ChilRaster
import ChilStore

/// The pages of a job: its drawings, a page each, as often as they were asked for. Not `Sendable`.
struct DrawingPages: PrintPages {
    private let task: PrintJobTask
    private let tenant: TenantID
    private let desk: PageDesk

    init(_ task: PrintJobTask, in tenant: TenantID, at desk: PageDesk) {
        self.task = task
        self.tenant = tenant
        self.desk = desk
    }

    func document(for printer: PrinterSnapshot) async throws(PrintPagesFault) -> PrintDocument {
        let pictures = try await pictures()
        guard let rules = pictures.first?.rules else { throw .gone }
        let copies = Int(task.job.copies)
        guard let format = PageFormat(for: printer, pageCount: pictures.count, copies: copies) else { throw .noFormat }
        let asked = task.job.sheets.paperWanted.flatMap { PaperName(rawValue: $0) }
        var scale = PrintScale(rawValue: task.job.scale.rawValue) ?? .large
        let size = asked == nil ? PageFit(rawValue: rules.fit)?.paper(of: scale) : nil
        let choice = PaperChoice(
            wanted: asked ?? size,
            usual: rules.paper.flatMap { PaperName(rawValue: $0) },
            trays: printer.trays,
            supported: printer.mediaSupported
        )
        // A scale that is a paper fills it.
        if size != nil, !choice.isSubstituted { scale = .large }
        var pages: [PlannedPage] = []
        for picture in pictures {
            let bytes = try await bytes(of: picture)
            guard let facts = try? ImageProbe.facts(of: bytes) else { throw .unprintable }
            let hasMark = rules.hasMark && format.type != .jpeg
            let layout = PageLayout(of: facts, scale: scale, on: choice.tray, hasMark: hasMark)
            let mark = hasMark ? QRCode(desk.marks.text(of: picture.place, of: task.job.id, in: tenant)) : nil
            // Dots are made page by page: of a book no more than one picture is in memory.
            let held = format.type == .pwgRaster ? nil : bytes
            let page = PlannedPage(facts: facts, layout: layout, mark: mark) { () async throws(PrintPagesFault) in
                if let held { return held }
                return try await self.bytes(of: picture)
            }
            pages.append(page)
        }
        let press = PagePress(desk.rasterizer, printer)
        let document = try await press.document(of: pages, copies: copies, in: format)
        try await note(choice, pageCount: pages.count * copies)
        return document
    }

    /// What the job is drawn for is shown to whoever asks how it goes.
    private func note(_ choice: PaperChoice, pageCount: Int) async throws(PrintPagesFault) {
        let note = PrintJobSheetsNote(
            task.job.id,
            in: tenant,
            paper: choice.tray.paper.shownName,
            isSubstituted: choice.isSubstituted,
            pageCount: Int32(pageCount)
        )
        do { _ = try await note.first(from: desk.database) } catch { throw .unreadable }
    }

    private func pictures() async throws(PrintPagesFault) -> [PrintJobPicture] {
        do {
            return try await PrintJobPictures(of: task.job.id, in: tenant).rows(from: desk.database)
        } catch {
            throw .unreadable
        }
    }

    private func bytes(of picture: PrintJobPicture) async throws(PrintPagesFault) -> [UInt8] {
        let stored = DrawingImage(
            owner: task.owner,
            hash: picture.hash,
            mediaType: picture.mediaType,
            byteCount: picture.byteCount
        )
        do {
            return try await desk.images.pieces(of: stored, tenant).flatMap { $0 }
        } catch {
            // The storage may come back; the row of a picture that is gone does not.
            throw (error as? Problem)?.code == .notFound ? .gone : .unreadable
        }
    }
}
