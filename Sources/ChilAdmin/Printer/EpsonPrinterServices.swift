import ChilCore

/// What the printer commands need of Epson Connect.
protocol EpsonPrinterServices {
    func addEpsonPrinter(_ draft: EpsonPrinterDraft, to slug: Slug) async throws(AdminFault) -> PrinterRow
    /// Has the owner of a printer agree, and keeps what came of it.
    func authorizePrinter(named name: String, of slug: Slug, _ permission: EpsonPermission)
        async throws(AdminFault)
        -> PrinterRow
}
