/// A sheet that a printer has, and what it leaves white at the edges.
package struct PaperTray: Hashable, Sendable {
    /// Hundredths of a millimetre, by the edges of the sheet as it is fed.
    package struct Margins: Hashable, Sendable {
        package let left, top, right, bottom: Int

        package init(left: Int, top: Int, right: Int, bottom: Int) {
            self.left = left
            self.top = top
            self.right = right
            self.bottom = bottom
        }

        /// What home printers leave white, where a printer does not say it.
        package static let standard = Self(left: 500, top: 500, right: 500, bottom: 500)

        var widest: Int { max(left, top, right, bottom) }
    }

    package let paper: PaperSize
    package let margins: Margins

    package init(_ paper: PaperSize, _ margins: Margins = .standard) {
        self.paper = paper
        self.margins = margins
    }

    /// A printer's word on its margins, where it can be meant. Nothing at an edge is a sheet printed without borders: that takes more
    /// ink and time, crops, and no drawing needs it.
    init(_ paper: PaperSize, told margins: Margins?) {
        guard let margins, min(margins.left, margins.top, margins.right, margins.bottom) > 0,
            margins.widest <= min(paper.width, paper.height) / 4
        else {
            self.init(paper)
            return
        }
        self.init(paper, margins)
    }
}

extension PrinterSnapshot {
    /// The sheets that are loaded, each size once, in the printer's order. With the widest margins that it tells of a size: of one
    /// size there are often two, with borders and without.
    package var trays: [PaperTray] {
        var trays: [PaperTray] = []
        func add(_ tray: PaperTray) {
            guard let place = trays.firstIndex(where: { $0.paper.isAsLarge(as: tray.paper) }) else {
                return trays.append(tray)
            }
            if tray.margins.widest > trays[place].margins.widest { trays[place] = tray }
        }
        for ready in mediaColReady {
            let told = ready.margins.map {
                PaperTray.Margins(left: $0.left, top: $0.top, right: $0.right, bottom: $0.bottom)
            }
            let isBorderless = told.map { min($0.left, $0.top, $0.right, $0.bottom) <= 0 } ?? true
            let plain = PaperSize(keyword: "", width: ready.width, height: ready.height)
            let keyword = ready.keyword ?? PaperName(plain)?.size.keyword ?? ""
            let paper = PaperSize(keyword: keyword, width: ready.width, height: ready.height)
            if isBorderless, mediaColReady.contains(where: { Self.hasBorders($0) && $0.isAsLarge(as: paper) }) {
                continue
            }
            add(PaperTray(paper, told: told))
        }
        // Some printers tell names alone.
        for keyword in mediaReady {
            guard let paper = PaperSize(keyword: keyword),
                !trays.contains(where: { $0.paper.isAsLarge(as: paper) })
            else { continue }
            trays.append(PaperTray(paper))
        }
        return trays
    }

    private static func hasBorders(_ ready: MediaReady) -> Bool {
        ready.margins.map { min($0.left, $0.top, $0.right, $0.bottom) > 0 } ?? false
    }
}

extension MediaReady {
    fileprivate func isAsLarge(as paper: PaperSize) -> Bool {
        PaperSize(keyword: "", width: width, height: height).isAsLarge(as: paper)
    }
}
